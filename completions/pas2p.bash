# bash completion for pas2p. Made by tools/doc-gen.c: do not edit.
_pas2p()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' word options
	COMPREPLY=()
	if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in
		metrics|phases|tune|report|info|events|blocks|trace|convert|check|clocks|plan|sign|run|compare|diff|study|fit|predict|pingpong|machine|doctor|version|help) command=$word; break ;;
		esac
	done
	case $command:$prev in
	:--format|metrics:--format|phases:--format|tune:--format|info:--format|events:--format|blocks:--format|check:--format|clocks:--format|plan:--format|run:--format|compare:--format|diff:--format|study:--format|fit:--format|predict:--format|doctor:--format) mapfile -t COMPREPLY < <(compgen -W 'table csv json yaml' -- "$cur"); return ;;
	report:--format) mapfile -t COMPREPLY < <(compgen -W 'html md' -- "$cur"); return ;;
	*:--title) return ;;
	*:--to) mapfile -t COMPREPLY < <(compgen -W 'clog2 otf2 prv tit perfetto' -- "$cur"); return ;;
	convert:--output) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	convert:--format) mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur"); return ;;
	*:--rate) return ;;
	*:--window) return ;;
	*:--ranks) return ;;
	:--output|metrics:--output|phases:--output|tune:--output|report:--output|info:--output|events:--output|blocks:--output|trace:--output|check:--output|clocks:--output|plan:--output|sign:--output|run:--output|compare:--output|diff:--output|study:--output|fit:--output|predict:--output|pingpong:--output|machine:--output|doctor:--output) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:-m|*:--match) return ;;
	*:-a|*:--application) return ;;
	*:--color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
	*:--theme) mapfile -t COMPREPLY < <(compgen -W 'default mono' -- "$cur"); return ;;
	:--script) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	run:--script) mapfile -t COMPREPLY < <(compgen -W 'slurm pbs' -- "$cur"); return ;;
	run:--nodes) return ;;
	*:--size) return ;;
	phases:--budget) return ;;
	*:--structure) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W 'exact relevant words' -f -- "$cur"); return ;;
	*:--graph-of) return ;;
	plan:--budget) return ;;
	*:--restore) return ;;
	metrics:--by) mapfile -t COMPREPLY < <(compgen -W 'run rank callpath phase pattern cause' -- "$cur"); return ;;
	*:--scaling) mapfile -t COMPREPLY < <(compgen -W 'strong weak' -- "$cur"); return ;;
	*:--serial) return ;;
	*:--before) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:--rendezvous) return ;;
	*:--rooted) mapfile -t COMPREPLY < <(compgen -W 'observed all' -- "$cur"); return ;;
	*:--goal) return ;;
	*:--what-if) return ;;
	*:--fail-if) return ;;
	clocks:--by) mapfile -t COMPREPLY < <(compgen -W 'rank pair time' -- "$cur"); return ;;
	*:--reference) return ;;
	clocks:--latency) return ;;
	*:--resolution) return ;;
	clocks:--windows) return ;;
	*:--bins) return ;;
	*:--method) mapfile -t COMPREPLY < <(compgen -W 'auto linear clc' -- "$cur"); return ;;
	*:--amortise) return ;;
	clocks:--seconds) return ;;
	*:--clock) mapfile -t COMPREPLY < <(compgen -W 'monotonic raw realtime tsc mpi' -- "$cur"); return ;;
	*:--exchanges) return ;;
	*:--schedule) mapfile -t COMPREPLY < <(compgen -W 'auto star tree' -- "$cur"); return ;;
	*:--rate-error) return ;;
	*:--machine) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:--base) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:-D|*:--define) return ;;
	*:--contention) mapfile -t COMPREPLY < <(compgen -W 'nested whole' -- "$cur"); return ;;
	*:--measured) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:--ops) return ;;
	*:--sizes) return ;;
	pingpong:--seconds|machine:--seconds) return ;;
	*:--form) mapfile -t COMPREPLY < <(compgen -W 'pieces power poly auto' -- "$cur"); return ;;
	*:--weights) mapfile -t COMPREPLY < <(compgen -W 'relative none' -- "$cur"); return ;;
	*:--value) mapfile -t COMPREPLY < <(compgen -W 'mean median min' -- "$cur"); return ;;
	*:--segments) return ;;
	*:--break) return ;;
	*:--degree) return ;;
	*:--y) return ;;
	*:--name) return ;;
	*:--at) return ;;
	*:--block) return ;;
	*:--effort) return ;;
	diff:--tolerance) return ;;
	*:--from-name) return ;;
	*:--model) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	study:--tolerance) return ;;
	*:--min-share) return ;;
	*:-c|*:--config) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:-p|*:--preset) mapfile -t COMPREPLY < <(compgen -W 'thesis' -- "$cur"); return ;;
	*:-j|*:--threads) return ;;
	*:--job) return ;;
	*:--network) return ;;
	info:--latency) return ;;
	*:--memory) return ;;
	*:--scratch) return ;;
	*:--mechanism) mapfile -t COMPREPLY < <(compgen -W 'criu rerun' -- "$cur"); return ;;
	*:--mpi) mapfile -t COMPREPLY < <(compgen -W 'openmpi mpich' -- "$cur"); return ;;
	*:-n|*:--runs) return ;;
	*:--pause) return ;;
	*:--aet) return ;;
	*:--cpus) return ;;
	*:--timeout) return ;;
	*:--control) return ;;
	*:--trace-file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	*:--label) return ;;
	*:--shortest) return ;;
	*:--resync) return ;;
	*:--order) mapfile -t COMPREPLY < <(compgen -W 'lamport pas2p' -- "$cur"); return ;;
	*:--similarity) mapfile -t COMPREPLY < <(compgen -W 'bbp phase' -- "$cur"); return ;;
	*:--collectives) mapfile -t COMPREPLY < <(compgen -W 'events ignore' -- "$cur"); return ;;
	*:--absent) mapfile -t COMPREPLY < <(compgen -W 'similar different' -- "$cur"); return ;;
	*:--compute-of) mapfile -t COMPREPLY < <(compgen -W 'max sum each' -- "$cur"); return ;;
	*:--phase-time) mapfile -t COMPREPLY < <(compgen -W 'mean slowest' -- "$cur"); return ;;
	*:--representative) mapfile -t COMPREPLY < <(compgen -W 'first median last' -- "$cur"); return ;;
	*:--volume) return ;;
	*:--compute) return ;;
	*:--events) return ;;
	*:--relevance) return ;;
	*:--warmup-sends) return ;;
	*:--warmup-seconds) return ;;
	*:--sample-seconds) return ;;
	:--windows|metrics:--windows|phases:--windows|tune:--windows|report:--windows|info:--windows|events:--windows|blocks:--windows|convert:--windows|check:--windows|plan:--windows|diff:--windows|study:--windows) return ;;
	*:--window-seconds) return ;;
	*:--window-rare) return ;;
	*:--window-span) return ;;
	*:--window-align) mapfile -t COMPREPLY < <(compgen -W 'iterations none' -- "$cur"); return ;;
	*:--clocks) mapfile -t COMPREPLY < <(compgen -W 'file corrected' -- "$cur"); return ;;
	*:--compute-counter) return ;;
	esac
	case $command in
	help) options='--help --version' ;;
	version) options='--help --version' ;;
	doctor) options='--format --output --quiet --help --version' ;;
	machine) options='--output --ops --sizes --seconds --nodes --shared --mpi --quiet --help --version' ;;
	pingpong) options='--output --ops --sizes --seconds --mpi --quiet --help --version' ;;
	predict) options='--format --output --ascii --machine --base --define --contention --measured --graph --expression --block --quiet --help --version' ;;
	fit) options='--format --output --form --weights --value --segments --break --degree --y --name --at --quiet --help --version' ;;
	study) options='--format --output --at --from-name --models --model --graph --check --tolerance --min-share --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	diff) options='--format --output --strict --effort --edits --hunks --tolerance --phases-only --min-share --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	compare) options='--format --output --table --quiet --help --version' ;;
	run) options='--format --output --application --script --nodes --mechanism --mpi --runs --pause --aet --full --cpus --timeout --control --show-output --dry-run --trust --trace-file --label --quiet --help --version' ;;
	sign) options='--output --application --mechanism --mpi --cpus --timeout --show-output --stop --trace-file --quiet --help --version' ;;
	plan) options='--format --output --budget --restore --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	clocks) options='--format --output --by --reference --latency --resolution --windows --bins --correct --method --amortise --measure --seconds --clock --exchanges --schedule --rate-error --threads --mpi --quiet --help --version' ;;
	check) options='--format --output --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	convert) options='--to --output --force --format --rate --window --ranks --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	trace) options='--to --output --mpi --functions --shortest --regions --resync --quiet --help --version' ;;
	blocks) options='--format --output --match --leaders --processes --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	events) options='--format --output --match --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	info) options='--format --output --config --no-config --preset --threads --job --network --latency --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	report) options='--format --title --output --scaling --serial --before --goal --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	tune) options='--format --output --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	phases) options='--format --output --match --application --ascii --budget --structure --graph-of --content --restore --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	metrics) options='--format --output --by --scaling --serial --before --rendezvous --rooted --goal --what-if --fail-if --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	*) options='--format --output --application --ascii --color --theme --tutorial --script --plain --size --machine --define --measured --config --no-config --preset --threads --memory --scratch --quiet --help --version --order --similarity --collectives --absent --compute-of --phase-time --representative --volume --compute --events --relevance --warmup-sends --warmup-seconds --sample-seconds --windows --window-seconds --window-rare --window-span --window-align --clocks --compute-counter' ;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		return
	fi
	if [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'settings options keys exit-status glossary metrics phases tune report info events blocks trace convert check clocks plan sign run compare diff study fit predict pingpong machine doctor version help' -- "$cur")
		return
	fi
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	if [[ -z $command ]]; then
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W 'metrics phases tune report info events blocks trace convert check clocks plan sign run compare diff study fit predict pingpong machine doctor version help' -- "$cur")
	fi
}
complete -F _pas2p pas2p
