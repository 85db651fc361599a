// The answer that never comes: the caller waits until it gives up, and the connection just ends.
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
