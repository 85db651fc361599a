// The parts that the server, the checks and the handlers of all merchant endpoints share.
import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Gate } from '../../platform/concurrency/gate.ts'
import type { Refusal } from '../../platform/errors/catalogue.ts'
import { type ClientAddress, clientAddress } from '../../platform/http/addresses.ts'
import { type ConnectionOptions, Connections } from '../../platform/http/server/connections.ts'
import { FairQueue } from '../../platform/http/server/fair-queue.ts'
import { type ClientLimits, clientLimits } from '../../platform/http/server/rate-limit.ts'
import { BodyReader } from '../../platform/http/server/read-body.ts'
import type { ResponseWriter } from '../../platform/http/server/response.ts'
import type { RequestLog } from '../../platform/request-log/recorder.ts'
import type { CheckDeps, CheckedRequest } from './checks/check-request.ts'
import { type EndpointPath, isEndpoint } from './endpoints.ts'
import { renderBroken } from './envelope.ts'

export type FrameDeps = CheckDeps & {
  readonly platformKey: KeyObject
  readonly gate: MerchantGate
  /**
   * The gate of queries, which is separate from the gate of orders. Therefore queries are answered even if the gate of
   * orders is full.
   */
  readonly queryGate: MerchantGate
  readonly handlers: Readonly<Partial<Record<EndpointPath, Handler>>>
  observe(endpoint: string, code: string, seconds: number): void
  /** True if a newer version of the gateway has migrated the database. All requests are then answered with 503. */
  isOutdated?(): boolean
  readonly requestLog?: RequestLog | undefined
}

export type MerchantGate = Pick<Gate, 'enter' | 'isFull' | 'leave' | 'refuses'>

/** Handles a checked request. If a handler throws a Refusal, it must not have stored anything. */
export type Handler = (request: CheckedRequest) => Promise<Answer>
export type Answer =
  | {
      readonly data: Readonly<Record<string, unknown>>
      readonly failure?: undefined
      readonly note?: string | undefined
    }
  /** The order was stored and has failed. Unlike a thrown Refusal, this failure is never replaced by "duplicate". */
  | { readonly failure: Refusal }

export type FrameOptions = {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>
  readonly trustedProxies?: readonly string[]
  readonly siteHeaders?: Readonly<Record<string, string>>
  /** The maximum size in bytes of all incomplete bodies together. */
  readonly mostBufferedBytes?: number
  readonly connections?: Partial<ConnectionOptions>
  /** False turns off the fast path in src/platform/http/server/raw/, which is on by default. */
  readonly rawServer?: boolean
  /** Reports an address that sends X-Forwarded-For although it is not a trusted proxy. */
  readonly forwardedByStranger?: (address: string) => void
  /** Called with the response to a request, as soon as the body of the request is read or refused. */
  readonly began?: (response: ResponseWriter) => void
}

export type Frame = {
  readonly deps: FrameDeps
  readonly options: FrameOptions
  readonly limits: ClientLimits
  readonly addressOf: ClientAddress
  readonly bodies: BodyReader
  readonly connections: Connections
  readonly others: FairQueue
  readonly served: ReadonlyMap<string, EndpointPath>
  closing: boolean
}

const MOST_OF_NETWORK = 500

export function createFrame(deps: FrameDeps, options: FrameOptions): Frame {
  const { trustedProxies = [] } = options
  const paths = Object.keys(deps.handlers).filter(isEndpoint)
  // In sandbox there is no limit per network, because all clients may run on one machine.
  const ofNetwork = deps.mode === 'live' ? { mostOfNetwork: MOST_OF_NETWORK } : {}
  return {
    deps,
    options,
    limits: clientLimits(deps.mode, deps.clock),
    addressOf: clientAddress(trustedProxies, options.forwardedByStranger),
    bodies: new BodyReader(options.mostBufferedBytes),
    connections: new Connections(renderBroken, { ...ofNetwork, trustedProxies, ...options.connections }),
    others: new FairQueue(),
    served: new Map(paths.map((path) => [path, path])),
    closing: false,
  }
}
