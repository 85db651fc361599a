// The delivery of the other queues: Node's own client over keep-alive connections, and a response that must be SUCCESS.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PreparedRequest } from './deliverer.ts'

const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' })
const TIMEOUT_MS = 15_000

export function post({ url, body, headers }: PreparedRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (response) => {
      text(response).then((answer) => {
        if (response.statusCode === 200 && answer.trim() === 'SUCCESS') resolve()
        else reject(new Error(`answered ${response.statusCode}`))
      }, reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no response in time')))
    sent.on('error', reject)
    sent.end(body)
  })
}
