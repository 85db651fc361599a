// The server of the merchant interface. It serves documented paths on the objects of Node's server or of the raw server: the
// framework's request and reply would cost more than our checks. All other requests go to the framework's router.
import { randomUUIDv7 } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { writerOver } from '../http/server/response.ts'
import { BoundedServer } from '../http/server/server.ts'
import { isUpload, mostBytes } from './checks/check-head.ts'
import { asJson, TransportRefusal, writeRefusal } from './envelope.ts'
import type { Frame } from './frame.ts'
import { exchangeOf, serveRequest, serveWhole } from './serve-request.ts'

export function createServerFor(frame: Frame, toRoutes: RequestListener): Server {
  const { connections, served, options } = frame
  return new BoundedServer({
    connections,
    serve(request, response) {
      const path = request.method === 'POST' ? served.get(request.url ?? '') : undefined
      if (!connections.began(request.socket, response, isUpload(path))) return
      if (path === undefined) toRoutes(request, response)
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

/** `app` must be built with `serverOptions`. Its router knows endpoints however they are spelled, and unknown paths. */
export function registerMerchantApi(app: FastifyInstance, frame: Frame): void {
  app.addHook('preClose', async () => {
    frame.closing = true
  })
  app.register(async (scope) => {
    // Serves every request of this scope: the handlers below are never reached.
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

/** The options that Fastify needs, so that every response is an envelope. */
export const serverOptions = {
  // Request ids sort by time, as the request log lists them.
  genReqId: () => randomUUIDv7(),
  requestIdHeader: false,
  // The frame writes its own envelope while the server closes.
  return503OnClosing: false,
  // The server writes these responses itself: it knows which ones a connection still awaits.
  clientErrorHandler: () => {},
  frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = new TransportRefusal(404, 'there is no such path')
    writerOver(reply.hijack().raw).write(asJson(writeRefusal(refusal)), request.id, false)
  },
} as const
