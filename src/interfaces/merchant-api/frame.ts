// The parts that the server, the checks and the handlers of all merchant endpoints share.
import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Gate } from '../concurrency/gate.ts'
import type { Refusal } from '../errors/catalogue.ts'
import { type ClientAddress, clientAddress } from '../http/addresses.ts'
import { type ConnectionOptions, Connections } from '../http/server/connections.ts'
import { type ClientLimits, clientLimits } from '../http/server/rate-limit.ts'
import { BodyReader } from '../http/server/read-body.ts'
import type { ResponseWriter } from '../http/server/response.ts'
import type { RequestLog } from '../request-log/recorder.ts'
import type { CheckDeps, CheckedRequest } from './checks/check-request.ts'
import { type EndpointPath, isEndpoint } from './endpoints.ts'
import { renderBroken } from './envelope.ts'

export type FrameDeps = CheckDeps & {
  /** The private key that signs responses for merchants with an RSA key. */
  readonly platformKey: KeyObject
  readonly gate: MerchantGate
  /** Queries have their own: they are answered also when no more orders are taken. */
  readonly queryGate: MerchantGate
  readonly handlers: Readonly<Partial<Record<EndpointPath, Handler>>>
  observe(endpoint: string, code: string, seconds: number): void
  /** Undefined: requests are not logged. */
  readonly requestLog?: RequestLog | undefined
}

export type MerchantGate = Pick<Gate, 'enter' | 'isFull' | 'leave' | 'refuses'>

/** Throws a Refusal if it refuses the request, which then stores nothing. */
export type Handler = (request: CheckedRequest) => Promise<Answer>
export type Answer =
  | {
      readonly data: Readonly<Record<string, unknown>>
      readonly failure?: undefined
      /** For the request log only. */
      readonly note?: string | undefined
    }
  /** The order was stored, and this is its result: it is not checked for a duplicate. */
  | { readonly failure: Refusal }

/** What the application provides to the frame. */
export type FrameOptions = {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>
  readonly trustedProxies?: readonly string[]
  /** Headers of every page of this site. */
  readonly siteHeaders?: Readonly<Record<string, string>>
  /** Maximum bytes of all incomplete bodies together. */
  readonly mostBufferedBytes?: number
  readonly connections?: Partial<ConnectionOptions>
  /** The fast path: src/http/server/raw/. */
  readonly rawServer?: boolean
  /** Called with an address that sends X-Forwarded-For and is not a trusted proxy. */
  readonly forwardedByStranger?: (address: string) => void
  /** Called when a request is complete and will get a response. */
  readonly began?: (response: ResponseWriter) => void
}

export type Frame = {
  readonly deps: FrameDeps
  readonly options: FrameOptions
  readonly limits: ClientLimits
  readonly addressOf: ClientAddress
  readonly bodies: BodyReader
  readonly connections: Connections
  /** The endpoints that have a handler. */
  readonly served: ReadonlyMap<string, EndpointPath>
  closing: boolean
}

const MOST_OF_NETWORK = 500

export function createFrame(deps: FrameDeps, options: FrameOptions): Frame {
  const { trustedProxies = [] } = options
  const paths = Object.keys(deps.handlers).filter(isEndpoint)
  // In sandbox all clients may be on one machine.
  const ofNetwork = deps.mode === 'live' ? { mostOfNetwork: MOST_OF_NETWORK } : {}
  return {
    deps,
    options,
    limits: clientLimits(deps.mode, deps.clock),
    addressOf: clientAddress(trustedProxies, options.forwardedByStranger),
    bodies: new BodyReader(options.mostBufferedBytes),
    connections: new Connections(renderBroken, { ...ofNetwork, trustedProxies, ...options.connections }),
    served: new Map(paths.map((path) => [path, path])),
    closing: false,
  }
}
