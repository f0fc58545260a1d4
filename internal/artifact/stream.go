package artifact

// Names of the arrays that a cell of a stream leaves, beside those of its dictionary.
const (
	ArrayStreamLoss     = "stream_loss"     // of every step, before its update
	ArrayStreamMean     = "stream_mean"     // running mean at every step
	ArraySegmentNames   = "segment_names"   // A, B, ...
	ArraySegmentLabels  = "segment_labels"  // the class values of each, as text
	ArraySegmentEnds    = "segment_ends"    // steps made when each ends
	ArrayHeldOutStep    = "held_out_step"   // steps made when held-out losses were taken
	ArrayHeldOutLoss    = "held_out_loss"   // times x segments: mean loss of the graphs held out of each
	ArrayAlarmStep      = "alarm_step"      // step that raised an alarm
	ArrayAlarmOnset     = "alarm_onset"     // step at which the change is estimated to have come
	ArrayAlarmDown      = "alarm_down"      // 1: the loss has fallen, 0: risen
	ArrayAlarmStatistic = "alarm_statistic" // over the detector's threshold
)

// HeldOutAfter names a score: the held-out loss of one segment's graphs when another has ended.
func HeldOutAfter(of, segment string) string { return "held_out_" + of + "_after_" + segment }

// HeldOutStart names a score: the held-out loss of one segment's graphs before the first step.
func HeldOutStart(of string) string { return "held_out_" + of + "_start" }
