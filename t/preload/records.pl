# perl records.pl roots|requests|states|clocks TRACE: what records of a finalized CLOG-02.44 trace say that `pas2p events` does not, one line
# each, in order of each process: "rank,root,OP,ROOT"; "rank,post,NUMBER" and "rank,done,NUMBER"; "rank,enter,NAME" and
# "rank,leave,NAME" of user states that are no MPI call; "rank,clock,TIME,LOW,HIGH" of measurements. It reads the layout by itself, and cargo by the definitions' formats.
use strict;
use warnings;
my ($what, $path) = @ARGV;
open(my $f, '<:raw', $path) or die "$path: $!\n";
my $bytes = do { local $/; <$f> };
my %head = split(/\0/, substr($bytes, 11, 1013) =~ s/\0+$//r);
my $size = $head{'block_size='};
my @lengths = (24, 24, 136, 128, 64, 32, 64, 48, 40, 72, 72, 32);
my %width = (s => undef, h => 2, d => 4, x => 4, l => 8, X => 8, e => 4, E => 8);
my %code = (h => 's>', d => 'l>', l => 'q>', E => 'd>');
my (@records, %start, %final, %solo, %world);

sub text { return unpack('Z*', $_[0]) }

RECORD: for (my $block = 1024; $block < length $bytes; $block += $size) {
	for (my $at = $block;;) {
		my ($time, $icomm, $rank, $thread, $type) = unpack('d>l>l>l>l>', substr($bytes, $at, 24));
		my $rest = substr($bytes, $at + 24, $lengths[$type] - 24);
		$at += $lengths[$type];
		last RECORD if $type == 0;
		last if $type == 1;
		if ($type == 2) {
			my (undef, $from, $to) = unpack('l>l>l>', $rest);
			my $d = {name => text(substr($rest, 40, 32)), format => text(substr($rest, 72, 40)), from => $from};
			$start{$from} = $final{$to} = $d;
		} elsif ($type == 3) {
			$solo{unpack('l>', $rest)} = {name => text(substr($rest, 32, 32)), format => text(substr($rest, 64, 40))};
		} elsif ($type == 9) {
			my ($etype, $made, $mine, $wrank) = unpack('l>l>l>l>', $rest);
			$world{"$made,$mine"} = $wrank if $mine >= 0 && $etype != 10 && $etype != 102;
		} elsif ($type == 5 || $type == 6) {
			push @records, [$icomm, $rank, unpack('l>', $rest), $type == 6 ? substr($rest, 8) : undef, $time];
		}
	}
}

sub fields {
	my ($d, $cargo) = @_;
	my (%v, $at);
	$at = 0;
	while (defined $cargo && $d->{format} =~ /(\w+)=%(\w)/g) {
		$v{$1} = unpack($code{$2}, substr($cargo, $at, $width{$2}));
		$at += $width{$2};
	}
	return %v;
}

for (@records) {
	my ($icomm, $rank, $etype, $cargo) = @$_;
	my $p = $world{"$icomm,$rank"};
	my $d = $start{$etype} // $solo{$etype};
	my %v = $d ? fields($d, $cargo) : ();
	my $end = $final{$etype};
	if ($what eq 'roots') {
		print "$p,root,", $d->{name} =~ s/^MPI_//r, ",$v{root}\n" if defined $v{root};
	} elsif ($what eq 'clocks') {
		printf "$p,clock,%.9f,%.10f,%.10f\n", $_->[4], $v{low}, $v{high} if $d && $d->{name} eq 'PAS2P_clock';
	} elsif ($what eq 'requests') {
		next unless $v{request};
		my $done = $d->{name} eq 'MPE_Irecv_waited' || $d->{name} eq 'PAS2P_completed';
		print "$p,", $done ? 'done' : 'post', ",", $v{request} + $_, "\n" for 0 .. ($v{count} // 1) - 1;
	} elsif (($d ? $d->{from} // -1 : $end ? $end->{from} : -1) >= 600 && ($d // $end)->{name} !~ /^MPI_/) {
		print "$p,", $d ? "enter,$d->{name}" : "leave,$end->{name}", "\n";
	}
}
