/** The most steps of a sequence. Sequences have all lengths up to it. */
export const STEPS = 120
