/** An export can be downloaded for a week. */
export const EXPORT_DAYS_MS = 7 * 86_400_000
/** Exports of one merchant that may be written at the same time. */
export const MOST_RUNNING = 5
