# What is handed out: the source as one file, Debian packages, a tarball that runs from any folder.
DIST     = $(BUILD)/pas2p-$(VERSION).tar.xz

dist:          ## the committed source as one file, build/pas2p-VERSION.tar.xz
	@packaging/dist.sh pas2p-$(VERSION) $(DIST)
	@echo $(DIST)

deb: dist      ## Debian packages of it, in build/deb (debhelper)
	@packaging/deb.sh $(DIST) $(VERSION) $(BUILD)/deb

portable: dist ## a tarball of it that runs from any folder, in build/portable
	@packaging/portable.sh $(DIST) $(VERSION) $(BUILD)/portable

# As docs/install.md says, in systems made for it: minutes, root, a network. One alone: make package-check PACKAGE_TESTS=t/packaging/debian.t;
# PACKAGE_CHECK=once builds no package twice, which shows that the same source gives the same bytes.
PACKAGE_CHECK = twice
PACKAGE_TESTS = t/packaging/from_source.t t/packaging/debian.t t/packaging/portable.t
package-check: $(BUILD)/pas2p ## build all of these, install them in systems of their own, and use them there (root)
	@tools/deps.sh package
	PACKAGE_CHECK=$(PACKAGE_CHECK) PAS2P=$(abspath $(BUILD)/pas2p) prove -e '' $(PACKAGE_TESTS)

.PHONY: dist deb portable package-check
