import { CLAIM_LIMIT, type ClaimJob } from '../../src/platform/concurrency/claim-loop.ts'

/** Runs one claim of a job with all its calls, and returns the number of claimed rows. */
export async function runOnce<Due>(job: ClaimJob<Due>, now: Date): Promise<number> {
  const leaseUntil = new Date(now.getTime() + job.leaseMs)
  const due = await job.claim({ now, leaseUntil, limit: CLAIM_LIMIT, busy: [] })
  const { signal } = new AbortController()
  await Promise.all(due.map((one) => job.run(one, signal).catch((error) => job.rowFailed(error, one))))
  return due.length
}
