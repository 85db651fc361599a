// Simulates a missing response: waits until the caller gives up, but at most a minute, and then closes the connection.
import type { FastifyReply } from 'fastify'
import { silence } from './operations.ts'

export async function staySilent(reply: FastifyReply): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  reply.hijack()
  await silence(gone.signal)
  reply.raw.destroy()
  return reply
}
