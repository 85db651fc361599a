// The server of the merchant interface. Requests to documented paths bypass the framework, whose request and reply
// objects would cost more than our checks. All other requests wait in a fair queue (fair-queue.ts) for the framework's
// router.
import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../platform/http/addresses.ts'
import { writerOver } from '../../platform/http/server/response.ts'
import { BoundedServer } from '../../platform/http/server/server.ts'
import { isUpload, mostBytes } from './checks/check-head.ts'
import { asJson, TransportRefusal, writeRefusal, writeUnavailable } from './envelope.ts'
import type { Frame } from './frame.ts'
import { exchangeOf, serveRequest, serveWhole } from './serve-request.ts'

export function createServerFor(frame: Frame, toRoutes: RequestListener): Server {
  const { connections, served, options } = frame
  return new BoundedServer({
    connections,
    serve(request, response) {
      const path = request.method === 'POST' ? served.get(request.url ?? '') : undefined
      if (!connections.began(request.socket, response, isUpload(path))) return
      if (path === undefined) toOthers(frame, toRoutes, request, response)
      else
        serveRequest(frame, exchangeOf(frame, path, request, writerOver(response), randomUUIDv7()), request)
    },
    takeWhole:
      options.rawServer === false
        ? undefined
        : ({ url, headers, body }, socket, response) => {
            const path = served.get(url)
            if (path === undefined || body.length > mostBytes(path)) return false
            const request = { url, headers, socket }
            serveWhole(frame, exchangeOf(frame, path, request, response, randomUUIDv7()), body)
            return true
          },
  })
}

function toOthers(
  { others, addressOf }: Frame,
  toRoutes: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const network = networkOf(addressOf(request))
  if (others.enter(network, response, () => toRoutes(request, response))) return
  writerOver(response).write(asJson(writeUnavailable('too many requests wait', 1)), randomUUIDv7(), true)
}

/**
 * Registers the merchant interface. `app` must be built with `serverOptions`. The router of `app` handles unknown paths
 * and unusual spellings of known paths.
 */
export function registerMerchantApi(app: FastifyInstance, frame: Frame): void {
  app.addHook('preClose', async () => {
    frame.closing = true
  })
  app.register(async (scope) => {
    // The hook serves every request of this scope, so the handlers below are never reached.
    scope.addHook('onRequest', ({ raw: request, id: requestId, routeOptions }, reply) => {
      const path = frame.served.get(routeOptions.url ?? '')
      serveRequest(
        frame,
        exchangeOf(frame, path, request, writerOver(reply.hijack().raw), requestId),
        request,
      )
    })
    scope.setNotFoundHandler(() => {})
    for (const path of frame.served.keys()) scope.post(path, () => {})
  })
}

/** The Fastify options that make every response an envelope. */
export const serverOptions = {
  // Ids sort by time, which is the order of the request log.
  genReqId: () => randomUUIDv7(),
  requestIdHeader: false,
  // During shutdown, serve-request.ts answers with an envelope instead.
  return503OnClosing: false,
  // BoundedServer answers malformed requests, because it knows which responses a connection still awaits.
  clientErrorHandler: () => {},
  frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = new TransportRefusal(404, 'there is no such path')
    writerOver(reply.hijack().raw).write(asJson(writeRefusal(refusal)), request.id, false)
  },
} as const
