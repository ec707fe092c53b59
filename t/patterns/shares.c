/* The sentence of shares says the kinds that take most of the run time, and how much has no name where that is much. */
#include <math.h>

#include "core/base/mem.h"
#include "core/patterns/phase_names.h"
#include "tap.h"

static struct pattern_time kinds[] = {
	{"sweep", "sweeps", 0.604}, {"neighbours", "halo exchanges", 0.2}, {"allreduce", "allreduce", 0.1}, {"master-worker", "work for a master", 0.03},
	{"barrier", "barrier", 0.02}, {"transpose", "transposes", 0.009},
};

static void shares_are(const struct phase_names *n, enum shares_form form, const char *want, const char *what)
{
	struct out out;

	out_init(&out);
	phase_names_shares_text(n, form, &out);
	is_str(out.len ? out.text : "", want, "%s", what);
	out_release(&out);
}

int main(void)
{
	struct phase_names n = {.kinds = kinds, .kind_count = 2, .named_share = 1};

	shares_are(&n, SHARES_SHORT, "60 % sweeps, 20 % halo exchanges", "short");
	shares_are(&n, SHARES_SENTENCE, "60 % of the run time is in sweeps, 20 % in halo exchanges", "as a sentence");
	n.kind_count = 6;
	shares_are(&n, SHARES_SHORT, "60 % sweeps, 20 % halo exchanges, 10 % allreduce, 3 % work for a master", "four kinds at most");
	n.kinds = kinds + 4;
	n.kind_count = 2;
	shares_are(&n, SHARES_SHORT, "2 % barrier", "less than 1 % is left out");
	n.named_share = 0.9501;
	shares_are(&n, SHARES_SHORT, "2 % barrier", "a little without a name is not worth a word");
	n.named_share = 0.9;
	shares_are(&n, SHARES_SHORT, "2 % barrier; 10 % of phase time has no name", "much is");
	shares_are(&n, SHARES_SENTENCE, "2 % of the run time is in barrier; 10 % of phase time has no name", "in a sentence, too");
	n.kinds = kinds + 5;
	n.kind_count = 1;
	n.named_share = 0;
	shares_are(&n, SHARES_SENTENCE, "100 % of phase time has no name", "no kind is large");
	n.kind_count = 0;
	shares_are(&n, SHARES_SHORT, "", "no patterns");
	kinds[0].share = NAN;
	n.kinds = kinds;
	n.kind_count = 1;
	n.named_share = NAN;
	shares_are(&n, SHARES_SHORT, "", "no time");
	shares_are(NULL, SHARES_SHORT, "", "no names");
	return done_testing();
}
