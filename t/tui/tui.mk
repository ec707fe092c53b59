# The workbench's tests. t/tui/tui_pty.c speaks to the program through a terminal of libvterm's (and skips without it);
# the other t/tui/*.c are linked with the workbench's own parts, of which none that they use needs curses.
VTERM_LIBS = $(shell pkg-config --libs vterm 2>/dev/null)

$(BUILD)/t/libtui.a: $(TUI_OBJ)
	@echo "AR   $@"
	@mkdir -p $(@D)
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/tui/%.t: $(BUILD)/t/tui/%.o $(BUILD)/t/libtest.a $(BUILD)/t/libtui.a $(BUILD)/t/libcli.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(VTERM_LIBS) -lutil

update-screens: $(BUILD)/pas2p ## draw the golden screens of the tests anew
	@tools/screens.sh $(BUILD)/pas2p t/tui/screens

.PHONY: update-screens
