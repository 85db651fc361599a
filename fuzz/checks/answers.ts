// Checks an answer for problems that no answer may have, whatever the input.
import type { Answer } from '../http.ts'

/** A stream of events stays open until the payer leaves the page, so it is never late. */
const isStream = /^content-type: text\/event-stream/im
/** The error code for a fault of the gateway. */
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
