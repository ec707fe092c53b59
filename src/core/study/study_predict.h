/* What a study says of a run that nobody made, and of those that were made (docs/studies.md 5).
 *
 *     study_predict(&p, &models, &place, &e);         models: with STUDY_PREDICTS; they and the place's texts must outlive it
 *     study_prediction_release(&p);
 *
 * T is the sum over the families that are everywhere, weight times time where a family is stable, else its total, and
 * of the rest; what a model puts below 0 counts as 0, and a weight that is whole in every run is rounded. The intervals
 * are added up, so they are wide where much is in doubt. Beside it stands `direct`, the model of the AET itself, which
 * knows nothing of phases.
 *
 * Figures that the models do not define at the place are NAN. Times are s.
 */
#ifndef PAS2P_STUDY_PREDICT_H
#define PAS2P_STUDY_PREDICT_H

#include "study_models.h"

struct study_value {
	double value, low, high;
};

struct study_part {
	const struct study_family *family;
	struct study_value weight, time; /* NAN: not stable */
	struct study_value total;
};

struct study_prediction {
	struct arena arena;
	const struct study_models *models;
	const struct study_parameter *at; /* per axis of the study */
	double *x;                     /* per number of the models */
	uint32_t combination;
	struct study_part *parts;      /* families that are everywhere */
	uint32_t part_count;
	struct study_value rest, time, direct;
	double extrapolation;          /* the largest of the models'; infinite: no factor says how far */
	bool apart;                    /* the intervals of time and direct do not meet */
	const char **warnings;         /* sentences, safe */
	uint32_t warning_count;
};

/* A parameter that the place leaves out has run 1's value. ERR_USAGE: the place names one that no run has, gives a
 * number's axis a word, or categories that no run has together. */
enum err_code study_predict(struct study_prediction *p, const struct study_models *m, const struct study_parameters *place, struct err *e);
void study_prediction_release(struct study_prediction *p);

/* A run held against what the others say of it. */
struct study_checked {
	uint32_t run;
	double measured;               /* its AET */
	struct study_value predicted;  /* NAN: the others say nothing */
	double error;                  /* (predicted - measured) / measured; NAN */
	bool within;                   /* measured lies in the interval */
};

/* Every run, each from models of all others; the families stay as they are. list: as many as there are runs. */
enum err_code study_check(const struct study *s, struct study_checked *list, unsigned threads, const struct job *job, struct err *e);

#endif
