// Requests that fail because of overload or an outage of the database get the status 503 and may be repeated.
import { Overloaded } from '../../postgres/batch.ts'
import { OUTAGE_SECONDS, outageOf } from '../../postgres/outages.ts'

/** Returns the seconds for Retry-After. Undefined if the error has another cause. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof Overloaded) return error.retryAfterSeconds
  return outageOf(error) === undefined ? undefined : OUTAGE_SECONDS
}
