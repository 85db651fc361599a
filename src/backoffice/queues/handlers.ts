import type { Handlers } from '../route.ts'
import type { queuesApi } from './api.ts'
import { mapQueues, type QueuesDeps, readQueues } from './read-queues.ts'

export function createQueuesHandlers(deps: QueuesDeps): Handlers<typeof queuesApi> {
  return {
    async 'GET /queues'() {
      return mapQueues(await readQueues(deps), ({ count }) => count)
    },
  }
}
