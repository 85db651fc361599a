/** The most steps of a sequence. Sequences have all lengths up to this number. */
export const STEPS = 120
