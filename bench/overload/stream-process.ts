// A process that sends one stream after the other, and replies with the results.
import { runStream, type StreamJob } from './stream.ts'
import type { TallyResult } from './tally.ts'

export type StreamReply = { readonly parts: readonly TallyResult[] } | { readonly error: string }

process.on('message', async (job: StreamJob) => {
  try {
    reply({ parts: await runStream(job) })
  } catch (error) {
    reply({ error: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))

function reply(answer: StreamReply): void {
  process.send?.(answer)
}
