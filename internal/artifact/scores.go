package artifact

// Diagnostics returns the scores that are read only with a cell's arrays. A ledger omits them.
func Diagnostics() []string {
	return []string{Reconstruction, LossFirst, LossLast, Inertia, MeanMaxWeight, TestSize, Majority, Epoch}
}

// Scores of records that are written in one place and read, or written again, in another.
const (
	RI                 = "ri"                  // Rand Index, a fraction
	ARI                = "ari"                 // adjusted Rand Index
	TrivialOne         = "trivial_one"         // Rand Index of one cluster
	TrivialIndependent = "trivial_independent" // of independent random labels

	Objective        = "objective"      // what a method minimises, a graph's mean
	Reconstruction   = "reconstruction" // its part that measures distances
	LossFirst        = "loss_first"     // of the first epoch
	LossLast         = "loss_last"
	Inertia          = "inertia" // of the clustering
	NCut             = "ncut"
	Eigengap         = "eigengap"
	MeanMaxWeight    = "mean_max_weight" // mean over the graphs of an embedding's largest weight
	MaxMarginalError = "max_marginal_error"

	// Of streams; the last five are prefixes of a segment's name.
	Steps           = "steps"
	Alarms          = "alarms"
	FalseAlarmsUp   = "false_alarms_up"
	FalseAlarmsDown = "false_alarms_down"
	FalseAlarmBound = "false_alarm_bound"
	SegmentEnd      = "end_"
	SegmentLossIn   = "loss_begin_" // mean loss where the segment begins
	SegmentLossOut  = "loss_end_"   // and where it ends
	SegmentDelay    = "delay_"      // steps from its begin to the alarm
	SegmentDown     = "down_"       // 1: the loss has fallen, 0: risen
)
