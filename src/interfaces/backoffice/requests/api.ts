// The request log, and the signature debugger.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, ofMerchant, onPage, pageOf, text } from '../schemas.ts'

/** Operators may also see the calls that named no known merchant, as merchant 0. */
const ofLog = { merNo: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })) } as const

const nullable = Type.Union([Type.String(), Type.Null()])

const Row = {
  requestId: Type.String(),
  merNo: Type.Integer(),
  at: Moment,
  endpoint: Type.String(),
  code: Type.String(),
  status: Type.Integer(),
  durationMs: Type.Integer(),
  merOrderNo: nullable,
  tradeNo: nullable,
  /** Why it was refused, in words. */
  reason: nullable,
} as const

const RequestId = Type.Object({ requestId: Type.String({ maxLength: 36 }) })

export const requestsApi = {
  'GET /requests': {
    access: 'developers.read',
    query: Type.Object({
      ...ofLog,
      ...onPage,
      endpoint: Type.Optional(text(40)),
      code: Type.Optional(text(5)),
      refused: Type.Optional(Type.Boolean()),
      merOrderNo: Type.Optional(text(64)),
      from: Type.Optional(Moment),
      until: Type.Optional(Moment),
    }),
    reply: pageOf(Type.Object(Row)),
  },
  'GET /requests/:requestId': {
    access: 'developers.read',
    params: RequestId,
    query: Type.Object(ofLog),
    reply: Type.Object({
      ...Row,
      address: Type.String(),
      agent: Type.String(),
      paymentType: Type.String(),
      referer: Type.String(),
      /** Masked; '' if it could not be read. */
      body: Type.String(),
      answer: Type.String(),
      curl: Type.String(),
      /** The call of the SDK; null if the body could not be read. */
      sdk: nullable,
      /** Whether it can be run again: in sandbox, with a whole body. */
      runnable: Type.Boolean(),
    }),
  },
  /** Sandbox only: the same body with a new order number, signed with the merchant's key. Card data is the test card's. */
  'POST /requests/:requestId/again': {
    access: 'keys.edit',
    params: RequestId,
    reply: Type.Object({
      requestId: Type.String(),
      status: Type.Integer(),
      code: Type.String(),
      answer: Type.String(),
    }),
  },
  'POST /signature/explain': {
    access: 'developers.read',
    query: Type.Object(ofMerchant),
    body: Type.Object({
      /** A logged request, instead of endpoint and body. Its signature is stored only if it was refused for it. */
      requestId: Type.Optional(Type.String({ maxLength: 36 })),
      endpoint: Type.Optional(Type.String({ maxLength: 40 })),
      body: Type.Optional(Type.String({ maxLength: 60_000 })),
      /** If it is neither in the body nor stored. */
      sign: Type.Optional(Type.String({ maxLength: 2_048 })),
      /** What the caller says it signed. */
      signed: Type.Optional(Type.String({ maxLength: 60_000 })),
    }),
    reply: Type.Object({
      endpoint: Type.String(),
      algorithm: Type.Union([Type.Literal('md5'), Type.Literal('rsa')]),
      stringToSign: Type.String(),
      fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      verdict: Type.Union([Type.Literal('right'), Type.Literal('wrong'), Type.Literal('missing')]),
      difference: Type.Optional(
        Type.Object({
          at: Type.Integer(),
          field: Type.String(),
          right: Type.String(),
          given: Type.String(),
        }),
      ),
      mistakes: Type.Array(Type.Object({ code: Type.String(), says: Type.String() })),
    }),
  },
} as const satisfies Routes
