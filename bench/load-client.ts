// The process that generates the load. It takes one job at a time from its parent, and replies with the measurements.
import { type Job, type Measured, runJob } from './load.ts'

export type LoadReply = { readonly measured: Measured } | { readonly error: string }

process.on('message', async (job: Job) => {
  try {
    reply({ measured: await runJob(job) })
  } catch (error) {
    reply({ error: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))

function reply(answer: LoadReply): void {
  process.send?.(answer)
}
