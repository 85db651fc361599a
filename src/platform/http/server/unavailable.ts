// Requests that fail because the gateway is overloaded or its database cannot be used. Such requests get the status 503
// and may be repeated.
import { Overloaded } from '../../postgres/batch.ts'
import { OUTAGE_SECONDS, outageOf } from '../../postgres/outages.ts'

/** Returns the seconds for Retry-After, or undefined if the error has another cause. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof Overloaded) return error.retryAfterSeconds
  return outageOf(error) === undefined ? undefined : OUTAGE_SECONDS
}
