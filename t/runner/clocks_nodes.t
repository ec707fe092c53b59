#!/bin/sh
# Clocks of two nodes whose truth is known: a network between them, a time namespace that is 100 s ahead on the far one, and there a clock that
# gains 60 ppm since a known moment. Bounds must hold offset and rate, in a measurement and in a trace. Where messages take longer one way than the other,
# which no measurement can see, bounds still hold the truth and the estimate is off by half of that. What the kernel says of its time is passed on.
. t/lib/lib.sh
. t/lib/two_nodes.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/pas2p-probe-$mpi" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
unshare --time --monotonic 100 --fork true 2>/dev/null || skip_all 'there are no time namespaces'
perl -MJSON::PP -e 1 2>/dev/null || skip_all 'there is no JSON::PP'

two_nodes
cat >"$TMP/agent" <<END
#!/bin/sh
# HOST COMMAND..., or with ssh's -x before
[ "\$1" != -x ] || shift
case \$1 in 10.77.0.1) pid=$near ;; 10.77.0.2) pid=$far ;; *) exit 255 ;; esac
shift
exec env -i $(sanitizer_options) PATH="\$PATH" HOME="\$HOME" nsenter -t "\$pid" -n -u sh -c "cd /; \$*"
END
# Rank 0's node is right. What false_clock.c is told there stands in near.env, on the other in far.env.
cat >"$TMP/node" <<'END'
#!/bin/sh
here=$(dirname "$0")
LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$here/false.so"
if [ "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 ]; then
	. "$here/near.env"
	export LD_PRELOAD
	exec "$@"
fi
. "$here/far.env"
export LD_PRELOAD
exec unshare --time --monotonic 100 --fork --kill-child "$@"
END
chmod +x "$TMP/agent" "$TMP/node"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# measured DOCUMENT SINCE LEAST MOST: the far clock's offset and rate lie within the bounds, and the estimate is LEAST to MOST us above the truth.
measured() {
	perl -MJSON::PP -e '
		my ($path, $since, $least, $most) = @ARGV;
		open(my $f, "<", $path) or die;
		my $d = decode_json(do { local $/; <$f> });
		my $u = $d->{units}[1];
		my $ahead = 60e-6 * ($d->{utc} - $since);
		my $rate = -60e-6 / (1 + 60e-6);
		my $off = ($u->{offset} + 100 + $ahead) * 1e6;
		my @wrong;
		push @wrong, "units" if @{$d->{units}} != 2 || $u->{host} ne "far";
		push @wrong, "offset" unless $u->{low} - 1e-7 <= -100 - $ahead && -100 - $ahead <= $u->{high} + 1e-7;
		push @wrong, "rate" unless $u->{rate_low} - 1e-8 <= $rate && $rate <= $u->{rate_high} + 1e-8;
		push @wrong, "estimate" unless $least <= $off && $off <= $most;
		push @wrong, "verification" unless $u->{verification}{agrees};
		print "wrong: @wrong; off by $off us, bounds $u->{low} $u->{high}, rate $u->{rate_low} $u->{rate_high}\n" if @wrong;
		exit(@wrong != 0)' "$@"
}

slow='' # with one MPI: what is in between is not its
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	case $mpi in
	openmpi)
		launcher="$launcher --mca plm_rsh_agent $TMP/agent --mca pml ob1 --mca btl tcp,self --map-by node
			--mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24
			--mca mpi_yield_when_idle 1 --host 10.77.0.1:1,10.77.0.2:1"
		;;
	mpich)
		launcher="$launcher -launcher ssh -launcher-exec $TMP/agent -hosts 10.77.0.1,10.77.0.2 -iface veth0 -ppn 1 -genv FI_PROVIDER tcp -genv MPIR_CVAR_NOLOCAL 1"
		;;
	esac
	launcher="$launcher -n 2"
	"mpicc.$mpi" -std=gnu11 -O1 -fPIC -shared -o "$TMP/false.so" t/preload/mpi/false_clock.c || bail_out "mpicc.$mpi makes no library"
	"mpicc.$mpi" -w -O1 -o "$TMP/collectives" t/preload/mpi/collectives.c || bail_out "mpicc.$mpi does not work"
	since=$(date +%s)
	echo 'export FALSE_NTP=good FALSE_SOURCE=tsc' >"$TMP/near.env"
	echo "export FALSE_RATE=60e-6 FALSE_SINCE=$since FALSE_NTP=bad FALSE_SOURCE=hpet" >"$TMP/far.env"
	# shellcheck disable=SC2086 # words of a command
	if ! on "$near" timeout 30 $launcher "$TMP/node" hostname </dev/null >"$OUT" 2>"$ERR" || ! grep -qx far "$OUT"; then
		diag "$(head -n 5 "$ERR")"
		skip 1 "$mpi does not launch on the other node here"
		continue
	fi

	# shellcheck disable=SC2086
	run_ok "$mpi: measured" on "$near" timeout 60 "$PAS2P" clocks -q --measure --seconds 0.2 --exchanges 20 -f json -o "$TMP/two.json" -- \
		$launcher "$TMP/node"
	ok "$mpi: bounds hold offset and rate" measured "$TMP/two.json" "$since" -1e9 1e9
	like "$(cat "$TMP/two.json")" '"source": "hpet",' "$mpi: the far node's clock source"
	like "$(cat "$TMP/two.json")" '"ntp": \{"synchronised": true, "estimated_error": 0.000123, "maximum_error": 0.004567, "frequency": -1\.0e-05\}' \
		"$mpi: what the kernel says of its time"
	like "$(cat "$TMP/two.json")" '"ntp": \{"synchronised": false, "estimated_error": 0.000123, ' "$mpi: and that the far one is not synchronised"

	if [ -z "$slow" ]; then
		slow=$mpi
		echo 'export FALSE_DELAY=0.002 FALSE_NTP=none' >"$TMP/near.env"
		# shellcheck disable=SC2086
		run_ok "slower one way" on "$near" timeout 60 "$PAS2P" clocks -q --measure --seconds 0.2 --exchanges 10 -f json -o "$TMP/slow.json" -- \
			$launcher "$TMP/node"
		ok "bounds hold the truth, from which the estimate is half of it off" measured "$TMP/slow.json" "$since" 800 1200
		like "$(cat "$TMP/slow.json")" '"ntp": \{"synchronised": false, "estimated_error": null, "maximum_error": null, "frequency": null\}' \
			"of a kernel that says nothing, nothing is known"
	fi

	# Messages and what the tracer measured agree, on times that are the near node's; the local files have the far node's own.
	echo 'export PAS2P_KEEP_LOCAL=1' >"$TMP/near.env"
	echo "export PAS2P_KEEP_LOCAL=1 FALSE_RATE=60e-6 FALSE_SINCE=$since" >"$TMP/far.env"
	# shellcheck disable=SC2086
	run_ok "$mpi: traced" on "$near" timeout 60 "$PAS2P" trace -q --resync 0.1 -o "$TMP/two.clog2" -- \
		$launcher "$TMP/node" "$TMP/collectives" 400
	perl t/preload/records.pl clocks "$TMP/two.clog2" >"$TMP/two.clocks"
	ok "$mpi: what is said of the clocks holds the times" awk -F, '
		{ n++; if ($1 != 1 || !($4 <= 0 && $5 >= 0)) { print; bad = 1 } } END { exit bad || n < 2 }' "$TMP/two.clocks"
	"$PAS2P" clocks -q -f json "$TMP"/two.*.rank*.clog2 >"$TMP/local.json"
	ok "$mpi: and, with the messages, the rate" perl -MJSON::PP -e '
		open(my $f, "<", $ARGV[0]) or die;
		my $d = decode_json(do { local $/; <$f> });
		my $p = $d->{processes}[1];
		my $rate = -60e-6 / (1 + 60e-6);
		my $fits = $d->{windows} == 1 && $d->{misfit} == 0 && $p->{rate_low} <= $rate && $rate <= $p->{rate_high};
		print "rate $p->{rate_low} $p->{rate_high}, windows $d->{windows}, misfit $d->{misfit}\n" unless $fits;
		exit !$fits' "$TMP/local.json"
	rm -f "$TMP"/two.*
done
done_testing
