# What is handed out: the source as one file, Debian packages, a tarball that runs from any folder.
DIST     = $(BUILD)/pas2p-$(VERSION).tar.xz

dist:          ## the committed source as one file, build/pas2p-VERSION.tar.xz
	@packaging/dist.sh pas2p-$(VERSION) $(DIST)
	@echo $(DIST)

deb: dist      ## Debian packages of it, in build/deb (debhelper)
	@packaging/deb.sh $(DIST) $(VERSION) $(BUILD)/deb

portable: dist ## a tarball of it that runs from any folder, in build/portable
	@packaging/portable.sh $(DIST) $(VERSION) $(BUILD)/portable

.PHONY: dist deb portable
