# make install and make uninstall. Every folder can be given; DESTDIR stands before all of them, and is not part of what the program knows.
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man
DOCDIR     ?= $(DATADIR)/doc/pas2p
BASHDIR    ?= $(DATADIR)/bash-completion/completions
ZSHDIR     ?= $(DATADIR)/zsh/site-functions
FISHDIR    ?= $(DATADIR)/fish/vendor_completions.d
MODULEDIR  ?= $(DATADIR)/modulefiles
INSTALL    ?= install

# The one place that says it is where the program has it from.
VERSION    := $(shell sed -n 's/^.define PAS2P_VERSION "\(.*\)"$$/\1/p' src/cli/*.h)

# What belongs to an MPI, in files named after it: another such thing is a row here. Packages take them by these names.
MPI_PARTS   = $(PRELOAD_LIBS) \
	$(PROBES) \
	$(JOB_PLUGINS)

SAMPLES    := $(shell find sample-traces sample-models sample-studies -type f | LC_ALL=C sort)

# What is installed, a row each: MODE:FILE:PLACE, where PLACE begins with one of the folders above.
INSTALLED   = 755:$(BUILD)/pas2p:bin/pas2p \
	$(foreach f,$(MPI_PARTS) $(wildcard $(BUILD)/criu),755:$(f):lib/pas2p/$(notdir $(f))) \
	$(foreach f,$(wildcard man/*.[157]),644:$(f):man/man$(subst .,,$(suffix $(f)))/$(notdir $(f))) \
	644:completions/pas2p.bash:bash/pas2p \
	644:completions/_pas2p:zsh/_pas2p \
	644:completions/pas2p.fish:fish/pas2p.fish \
	644:config/pas2p.yaml:doc/pas2p.yaml \
	$(foreach f,$(wildcard README.md CHANGELOG.md CITATION.cff LICENSE) $(call below,docs,.md) $(call below,docs,.svg),644:$(f):doc/$(f)) \
	$(foreach f,$(SAMPLES),644:$(f):data/pas2p/$(f)) \
	644:$(BUILD)/modulefile:module/pas2p/$(VERSION) \
	644:$(BUILD)/modulefile.lua:module/pas2p/$(VERSION).lua

# For each of these in turn: $(call installed,COMMANDS), which find $$mode, $$from and $$to.
installed   = @for row in $(INSTALLED); do \
		mode=$${row%%:*} from=$${row\#*:}; to=$${from\#*:} from=$${from%:*}; \
		case $$to in \
		bin/*) dir='$(BINDIR)' ;; lib/*) dir='$(LIBDIR)' ;; data/*) dir='$(DATADIR)' ;; \
		man/*) dir='$(MANDIR)' ;; doc/*) dir='$(DOCDIR)' ;; module/*) dir='$(MODULEDIR)' ;; \
		bash/*) dir='$(BASHDIR)' ;; zsh/*) dir='$(ZSHDIR)' ;; fish/*) dir='$(FISHDIR)' ;; \
		esac; \
		to='$(DESTDIR)'$$dir/$${to\#*/}; \
		$(1); \
	done

# How one folder lies from another: the program finds what comes with it so, and can be moved as a whole.
from_to     = $(shell realpath -m --relative-to='$(1)' '$(2)')

# Other folders than last time: what knows them is made again, and nothing else.
PLACES      = LIB $(call from_to,$(BINDIR),$(LIBDIR)/pas2p) DATA $(call from_to,$(BINDIR),$(DATADIR)/pas2p) \
	PAGES $(call from_to,$(BINDIR),$(MANDIR)/man1) BIN $(call from_to,$(MODULEDIR)/pas2p,$(BINDIR)) MAN $(call from_to,$(MODULEDIR)/pas2p,$(MANDIR)) SHARE $(call from_to,$(MODULEDIR)/pas2p,$(DATADIR))
place       = $(word 2,$(shell grep -o '\<$(1) [^ ]*' $(BUILD)/places))
$(BUILD)/places: FORCE
	@mkdir -p $(@D)
	@echo '$(PLACES)' | cmp -s - $@ || echo '$(PLACES)' >$@

$(BUILD)/src/core/io/beside.o: $(BUILD)/places
$(BUILD)/src/core/io/beside.o: CPPFLAGS += -DPLACE_LIBRARIES='"$(call place,LIB)"' -DPLACE_DATA='"$(call place,DATA)"' -DPLACE_MAN='"$(call place,PAGES)"'

$(BUILD)/modulefile: packaging/modulefiles/pas2p.tcl $(BUILD)/places
$(BUILD)/modulefile.lua: packaging/modulefiles/pas2p.lua $(BUILD)/places
$(BUILD)/modulefile $(BUILD)/modulefile.lua:
	@sed 's,@VERSION@,$(VERSION),; s,@BIN@,$(call place,BIN),; s,@MAN@,$(call place,MAN),; s,@SHARE@,$(call place,SHARE),' $< >$@

install: $(BUILD)/pas2p $(MPI_PARTS) $(BUILD)/modulefile $(BUILD)/modulefile.lua ## install it all (DESTDIR, PREFIX, LIBDIR, MANDIR ...)
	$(call installed,$(INSTALL) -d "$${to%/*}" && $(INSTALL) -m "$$mode" "$$from" "$$to" || exit 1)
	@echo 'installed in $(PREFIX). If $(BINDIR) is not in your PATH: module use $(MODULEDIR), then module load pas2p'

# And the folders that are of pas2p alone, once they are empty.
uninstall:     ## take away what install put there
	$(call installed,rm -f "$$to" || exit 1; dir=$${to%/*}; \
		while case $$dir in (*/pas2p | */pas2p/*) rmdir "$$dir" 2>/dev/null ;; (*) false ;; esac; do dir=$${dir%/*}; done)

FORCE:
.PHONY: install uninstall FORCE
