// What no answer to any input may be.
import type { Answer } from '../http.ts'

/** A stream of events ends when the payer leaves the page, not before. */
const isStream = /^content-type: text\/event-stream/im
/** The code of a fault of ours. */
const fault = /"code":"99999"/
const inside = /node_modules|\.ts:\d+|\n\s+at \S+ \(/

export function problemOf({ statuses, text, ms, late }: Answer): string | undefined {
  const broken = statuses.find((status) => status >= 500)
  if (broken !== undefined) return `answered ${broken}`
  if (fault.test(text)) return 'answered with the code of a fault'
  if (late && !isStream.test(text)) return `answered after ${Math.round(ms)} ms`
  if (inside.test(text)) return 'the answer shows the inside of the program'
  return undefined
}
