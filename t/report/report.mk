# The tests of pages and their pictures: with the report, and what of the workbench draws without a terminal.
$(BUILD)/t/libreport.a: $(REPORT_OBJ)
	@echo "AR   $@"
	@mkdir -p $(@D)
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/report/%.t: $(BUILD)/t/report/%.o $(BUILD)/t/libtest.a $(BUILD)/t/libreport.a $(BUILD)/t/libtui.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)
