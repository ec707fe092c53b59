# awk -f compare.awk [-v unordered=1] SAID EVENTS: are the events of `pas2p events --format csv` those that the program
# says it made? Communicator names and numbers must belong together one to one; each receive must be related to a
# send to it of its size, if that is known. Prints what differs, and ends with 1 if anything does.
BEGIN { FS = "," }
function complain(text) { if (wrong++ < 10) print text }
FNR == 1 { file++ }
file == 1 { said[++saids] = $0; next }
/^rank,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
	key = $1 "," $2
	peer[key] = $(column["peer"])
	size[key] = $(column["size"])
	kind[key] = $(column["kind"])
	match_of[key] = $(column["match_rank"]) "," $(column["match_number"])
	row = $1 "," (unordered ? "" : $2) "," $3 "," $4 "," $5 "," $6 "," $8
	seen[row]++
	comm[row] = $(column["comm"])
	events++
}
END {
	for (n = 1; n <= saids; n++) {
		split(said[n], f, ",")
		row = f[1] "," (unordered ? "" : f[2]) "," f[3] "," f[4] "," f[5] "," f[6] "," f[8]
		if (seen[row]-- < 1) {
			complain("not in the trace: " said[n])
			continue
		}
		# Without numbers, a collective's row does not tell on which communicator it was.
		if (unordered && f[3] == "collective") continue
		if (!((f[7]) in number)) number[f[7]] = comm[row]
		if (!((comm[row]) in name)) name[comm[row]] = f[7]
		if (number[f[7]] != comm[row] || name[comm[row]] != f[7])
			complain("communicator " comm[row] " is " name[comm[row]] ", not that of: " said[n])
	}
	for (row in seen)
		if (seen[row] > 0) complain("only in the trace: " row)
	for (key in kind) {
		if (kind[key] == "receive") {
			m = match_of[key]
			split(key, f, ",")
			if (!(m in kind) || kind[m] != "send" || (size[key] != "" && size[m] != size[key]) ||
			    peer[m] != f[1] || match_of[m] != key)
				complain("receive " key " is related to " m)
		}
	}
	if (saids != events) complain(saids " events said, " events " in the trace")
	exit wrong != 0
}
