import { useWords } from '../../words/use-words.tsx'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_HOURS = 24

/** How long ago a moment was, in its largest unit. */
export function useAge(): (since: string) => string {
  const { operations } = useWords()
  return (since) => {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / MINUTE_MS))
    if (minutes < HOUR_MINUTES) return operations.minutes(minutes)
    const hours = Math.floor(minutes / HOUR_MINUTES)
    return hours < 2 * DAY_HOURS ? operations.hours(hours) : operations.days(Math.floor(hours / DAY_HOURS))
  }
}
