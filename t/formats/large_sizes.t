#!/bin/sh
# Messages of 2 GiB and more are what large machines are bought for, and 32 bits do not hold their sizes. Each size is the one that the file
# has, in every list, sum and figure, and in what is written of it, up to those that no figure could be made of: these are unknown, and said.
. t/lib/lib.sh

sizes='2147483647 2147483648 4294967294 4294967295 4294967296 4294967297 1099511627776 1099511627777 100 4294967296'

# prv SIZE...: rank 0 sends them to rank 1, each in a call.
prv() {
	printf '#Paraver (x):%d_ns:0:1:2(1:1,1:1)\n' $(($# * 1000))
	prv_at=0
	for prv_size; do
		printf '%s\n' "2:1:1:1:1:$prv_at:50000001:1" "3:1:1:1:1:$((prv_at + 10)):$((prv_at + 10)):2:1:2:1:$((prv_at + 500)):$((prv_at + 500)):$prv_size:5" \
			"2:1:1:1:1:$((prv_at + 20)):50000001:0" "2:2:1:2:1:$((prv_at + 100)):50000001:2" "2:2:1:2:1:$((prv_at + 1000)):50000001:0"
		prv_at=$((prv_at + 1000))
	done
}

# of FILE KIND: sizes of the events of a kind, in order.
of() {
	"$PAS2P" events --format csv "$1" | awk -F, -v kind="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["kind"] == kind { printf "%s%s", n++ ? " " : "", $column["size"] }'
}

sum=0
for size in $sizes; do
	sum=$((sum + size))
done
# shellcheck disable=SC2086
prv $sizes >"$TMP/in.prv"
is "$(of "$TMP/in.prv" send)" "$sizes" 'sizes of sends are those of the file'
is "$(of "$TMP/in.prv" receive)" "$sizes" 'and those of receives'
"$PAS2P" metrics --format json "$TMP/in.prv" >"$OUT"
like "$(cat "$OUT")" "\"bytes\": $sum\\b" 'their sum is'
is "$("$PAS2P" info --format json "$TMP/in.prv" | awk '/"bytes":/ && sizes { gsub(/[^0-9]/, ""); n += $0 } /"message_sizes"/ { sizes = 1 } /"unknown_sizes"/ { sizes = 0 } END { printf "%.0f", n }')" \
	"$sum" 'and that of the bins of sizes'
is "$("$PAS2P" metrics --by process --format csv "$TMP/in.prv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bytes_sent") c = i } NR == 2 { print $c }')" \
	"$sum" 'and that of the process which sends'

for to in otf2 prv clog2; do
	"$PAS2P" convert --to "$to" -q -o "$TMP/out.$to" "$TMP/in.prv" >"$OUT" 2>"$ERR" || { skip "$to: not built in"; continue; }
	is "$(of "$TMP/out.$to" send) $(of "$TMP/out.$to" receive)" "$sizes $sizes" "$to: the same sizes"
	ok "$to: no size is lost" sh -c "! grep -q size '$OUT'"
	"$PAS2P" convert --to clog2 -o "$TMP/again-$to.clog2" "$TMP/out.$to" >"$OUT" 2>&1
	unlike "$(cat "$OUT")" 'other records' "$to: what only said a size is not counted as lost"
done
"$PAS2P" convert --to perfetto -q -o "$TMP/out.json" "$TMP/in.prv" >"$OUT" 2>"$ERR"
is "$(grep -o '"size":[0-9]*' "$TMP/out.json" | cut -d: -f2 | sort -n | uniq -c | awk '{ print $1 "x" $2 }' | tail -n 2 | tr '\n' ' ')" \
	'2x1099511627776 2x1099511627777 ' 'perfetto: the same'

# Phases: with sizes compared exactly 2^40 and 2^40 + 1 are two, and within the usual 85 % they are one.
prv 1099511627776 1099511627776 1099511627777 1099511627777 1099511627776 >"$TMP/close.prv"
prv 16 16 17 17 16 >"$TMP/small.prv"
for volume in 0 0.15; do
	phases=$("$PAS2P" phases --volume $volume --format csv "$TMP/close.prv" | wc -l)
	if [ $volume = 0 ]; then
		is "$phases" "$("$PAS2P" phases --volume 0 --format csv "$TMP/small.prv" | wc -l)" 'phases that differ in a byte of 2^40, compared exactly'
	else
		ok 'and within a range they are alike' [ "$phases" -lt "$("$PAS2P" phases --volume 0 --format csv "$TMP/close.prv" | wc -l)" ]
	fi
done

# What is too large for a sum is no size.
prv 100 9223372036854775807 8 >"$TMP/huge.prv"
is "$(of "$TMP/huge.prv" send)" '100  8' 'a size that sums have no room for is unknown'
"$PAS2P" check "$TMP/huge.prv" >"$OUT"
like "$(cat "$OUT")" '2 impossible sizes' 'and the check says so'
is "$("$PAS2P" info --format json "$TMP/huge.prv" | grep -c '"unknown_sizes": 1')" 1 'and it is counted'

# A figure that rests on nothing is absent, and the overview says on what the others rest.
"$PAS2P" convert --to clog2 -q -o "$TMP/huge.clog2" "$TMP/huge.prv" >"$OUT" 2>&1
is "$("$PAS2P" metrics -q --format csv "$TMP/huge.clog2" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print $column["bytes"], $column["unknown_sizes"] }')" \
	'108 1' 'metrics: the sum of those that are known, and how many are not'
like "$("$PAS2P" "$TMP/huge.clog2" 2>&1 </dev/null | tr -s ' \n' ' ')" 'the size of 1 of 3 messages is unknown' 'the overview says so'
prv 9223372036854775807 9223372036854775807 >"$TMP/none.prv"
is "$("$PAS2P" metrics -q --format csv "$TMP/none.prv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print "-" $column["bytes"] "-" $column["unknown_sizes"] }')" \
	'--2' 'of no message it is known: there is no sum'
is "$("$PAS2P" metrics -q --by process --format csv "$TMP/none.prv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } { print "-" $column["bytes_sent"] "-" } ' | sed -n 2p)" \
	'--' 'nor of the process'

done_testing
