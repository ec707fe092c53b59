# Two nodes, which network namespaces of this machine stand in for: each has its own name and address. Files and clock are
# shared. Source it after lib.sh.
#
#     two_nodes            # skips all where that cannot be; they go when the test ends
#     on "$near" hostname  # near: 10.77.0.1, far: 10.77.0.2

near='' far=''
two_nodes_end() {
	two_nodes_status=$?
	[ -z "$near$far" ] || kill $near $far 2>/dev/null
	(exit "$two_nodes_status")
	tap_end
}

on() { # PID COMMAND...
	on_pid=$1
	shift
	nsenter -t "$on_pid" -n -u "$@"
}

two_nodes() {
	[ "$(id -u)" -eq 0 ] || skip_all 'only root can make network namespaces'
	for tool in ip nsenter unshare; do
		command -v "$tool" >/dev/null || skip_all "there is no $tool"
	done
	unshare --net --uts true 2>/dev/null || skip_all 'there are no network namespaces'
	trap two_nodes_end EXIT
	unshare --net --uts sleep 600 &
	near=$!
	unshare --net --uts sleep 600 &
	far=$!
	tries=0
	while { [ "$(readlink "/proc/$near/ns/net")" = "$(readlink /proc/self/ns/net)" ] ||
		[ "$(readlink "/proc/$far/ns/net")" = "$(readlink /proc/self/ns/net)" ]; } && [ "$tries" -lt 100 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	ip link add veth0 netns "$near" type veth peer name veth0 netns "$far" 2>/dev/null || skip_all 'there is no veth'
	for node in "$near near 10.77.0.1" "$far far 10.77.0.2"; do
		set -- $node
		on "$1" hostname "$2"
		on "$1" ip link set lo up
		on "$1" ip addr add "$3/24" dev veth0
		on "$1" ip link set veth0 up
	done
}
