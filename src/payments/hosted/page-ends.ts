// How long the link to the payer's page of an order opens it.
import { type Method, methodNames, methods } from '../../channels/method.ts'

/** The page shows the result for this time after the payer's time is over. */
export const PAGE_OUTLIVES_MS = 3_600_000

/** A payer who starts at the last moment still has the method's full time. */
export function pageEnds(beginBy: Date, method: Method | undefined): Date {
  const possible = method === undefined ? methodNames() : [method]
  const longestMinutes = Math.max(...possible.map((one) => methods[one].awaitsPayerMinutes))
  return new Date(beginBy.getTime() + longestMinutes * 60_000 + PAGE_OUTLIVES_MS)
}
