/** The default for the most steps of a sequence. Each sequence has a random length up to this number. */
export const STEPS = 120
