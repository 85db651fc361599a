// The run's interface to the load client, which takes one job at a time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { leanFlags, programPath } from './child.ts'
import type { Job, Measured } from './load.ts'
import type { LoadReply } from './load-client.ts'

export type LoadProcess = {
  run(job: Job): Promise<Measured>
  stop(): void
}

export function startLoadProcess(): LoadProcess {
  const child = fork(programPath('./load-client.ts'), { execArgv: leanFlags })
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    async run(job) {
      const answer = once(child, 'message')
      child.send(job)
      const [reply]: LoadReply[] = await answer
      if (reply === undefined || 'error' in reply) throw new Error(`the load client failed: ${reply?.error}`)
      return reply.measured
    },
    stop: () => child.disconnect(),
  }
}
