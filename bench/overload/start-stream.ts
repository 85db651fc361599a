// The run's interface to a sender of streams. Each sender is a separate process, so that one stream's work does not
// delay another's.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { programPath } from '../child.ts'
import type { StreamJob } from './stream.ts'
import type { StreamReply } from './stream-process.ts'
import type { TallyResult } from './tally.ts'

export type StreamSender = {
  /** Runs the job, and resolves with the result of each part. */
  run(job: StreamJob): Promise<readonly TallyResult[]>
  stop(): void
}

export function startStreamSender(): StreamSender {
  const child = fork(programPath('./overload/stream-process.ts'), { serialization: 'advanced' })
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    async run(job) {
      const answer = once(child, 'message')
      child.send(job)
      const [reply]: StreamReply[] = await answer
      if (reply === undefined || 'error' in reply) throw new Error(`a stream failed: ${reply?.error}`)
      return reply.parts
    },
    stop: () => child.disconnect(),
  }
}
