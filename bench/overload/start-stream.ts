// A sender of streams, as the run sees it: a process of its own, so that one stream's work does not delay another's.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { programPath } from '../child.ts'
import type { StreamJob } from './stream.ts'
import type { StreamReply } from './stream-process.ts'
import type { TallyResult } from './tally.ts'

export type StreamSender = {
  /** What became of each part of the job. */
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
