// Sent Pix, with their own book and the APIs of two banks, Efí and Inter. A sent Pix is decided after a tenth of a
// second.
import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { fieldsOf, InvalidRequest, readText } from '../issuer-request.ts'
import { readValor } from './cob.ts'
import type { Tokens } from './tokens.ts'

export type SentPix = {
  /** The sender's id at Efí, or the idempotency key at Inter. */
  readonly key: string
  readonly code: string
  readonly endToEndId: string
  readonly valor: string
  readonly chave: string
  readonly descricao: string
  state: 'processing' | 'paid' | 'failed' | 'returned'
}

export type OutgoingOptions = {
  readonly tokens: Tokens
  readonly clock: Clock
  /** Called when Efí has something to report about a sent Pix. */
  readonly reported: (message: Fields) => void
}

export type Outgoing = {
  /** Finds a sent Pix by the sender's reference: the id at Efí, or the description at Inter. */
  find(reference: string): SentPix | undefined
  count(reference: string): number
  /** The beneficiary's bank returns a paid Pix. */
  giveBack(reference: string): void
  stop(): void
}

const DECIDED_MS = 100
/** Amounts in centavos: refused at once, and failed later. */
const [REFUSED, FAILS] = ['2', '666']

export function registerOutgoing(app: FastifyInstance, options: OutgoingOptions): Outgoing {
  const sent = new Map<string, SentPix>()
  const timers = new Set<NodeJS.Timeout>()
  const named = (reference: string) =>
    [...sent.values()].filter(({ key, descricao }) => key === reference || descricao === reference)

  function add(pix: Omit<SentPix, 'code' | 'endToEndId' | 'state'>, report: boolean): SentPix {
    const minute = options.clock.now().toISOString().replace(/\D/g, '').slice(0, 12)
    const tail = createHash('sha256').update(pix.key).digest('hex').slice(0, 11)
    const endToEndId = `E99999999${minute}${tail}`
    const one: SentPix = { ...pix, code: randomUUID(), endToEndId, state: 'processing' }
    sent.set(pix.key, one)
    const timer = setTimeout(() => {
      timers.delete(timer)
      one.state = readValor(one.valor) === FAILS ? 'failed' : 'paid'
      if (report) options.reported(toMessage(one))
    }, DECIDED_MS)
    timers.add(timer)
    return one
  }

  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof InvalidRequest)) throw error
      return reply.code(400).send({ nome: 'valor_invalido', mensagem: error.message })
    })
    registerEfi(scope, options, sent, add)
    registerInter(scope, options, sent, add)
  })
  return {
    find: (reference) => named(reference)[0],
    count: (reference) => named(reference).filter(({ state }) => state === 'paid').length,
    giveBack(reference) {
      for (const one of named(reference)) {
        one.state = 'returned'
        options.reported(toMessage(one))
      }
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

type Add = (pix: Omit<SentPix, 'code' | 'endToEndId' | 'state'>, report: boolean) => SentPix

function registerEfi(
  scope: FastifyInstance,
  options: OutgoingOptions,
  sent: Map<string, SentPix>,
  add: Add,
): void {
  type Request = FastifyRequest<{ Params: { id: string } }>
  scope.put('/pix/v3/gn/pix/:id', (request: Request, reply) => {
    if (isRefused(request, reply, options, 'pix.send')) return reply
    const key = readText(request.params, 'id', /^[a-zA-Z0-9]{1,35}$/)
    const body = fieldsOf(request.body)
    const chave = readText(fieldsOf(body.favorecido), 'chave', /^.{1,77}$/)
    readText(fieldsOf(body.pagador), 'chave', /^.{1,77}$/)
    checkAmount(body)
    if (sent.has(key))
      return reply.code(400).send({ nome: 'id_envio_duplicado', mensagem: 'O idEnvio já foi utilizado' })
    const one = add({ key, chave, valor: String(body.valor), descricao: '' }, true)
    const horario = { solicitacao: options.clock.now().toISOString() }
    const { endToEndId: e2eId, valor } = one
    return reply.code(201).send({ idEnvio: key, e2eId, valor, horario, status: 'EM_PROCESSAMENTO' })
  })
  scope.get('/pix/v2/gn/pix/enviados/id-envio/:id', (request: Request, reply) => {
    if (isRefused(request, reply, options, 'gn.pix.sent.read')) return reply
    const one = sent.get(request.params.id)
    if (one === undefined)
      return reply.code(404).send({ nome: 'nao_encontrado', mensagem: 'Pix inexistente' })
    return reply.send({ ...efiFields(one), idEnvio: one.key })
  })
}

const efiStates = {
  processing: 'EM_PROCESSAMENTO',
  paid: 'REALIZADO',
  failed: 'NAO_REALIZADO',
  returned: 'REALIZADO',
} as const

function efiFields({ endToEndId, valor, chave, state }: SentPix): Fields {
  const devolucoes = [{ id: '1', rtrId: `D${endToEndId.slice(1)}`, valor, status: 'DEVOLVIDO' }]
  return { endToEndId, valor, chave, status: efiStates[state], ...(state === 'returned' && { devolucoes }) }
}

function toMessage(one: SentPix): Fields {
  return { pix: [{ ...efiFields(one), tipo: 'SOLICITACAO', gnExtras: { idEnvio: one.key } }] }
}

function registerInter(
  scope: FastifyInstance,
  options: OutgoingOptions,
  sent: Map<string, SentPix>,
  add: Add,
): void {
  scope.post('/banking/v2/pix', (request, reply) => {
    if (isRefused(request, reply, options, 'pagamento-pix.write')) return reply
    const key = readText(request.headers, 'x-id-idempotente', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    const body = fieldsOf(request.body)
    const target = fieldsOf(body.destinatario)
    readText(target, 'tipo', /^CHAVE$/)
    const chave = readText(target, 'chave', /^.{1,77}$/)
    const descricao = readText(body, 'descricao', /^.{1,140}$/)
    checkAmount(body)
    const one = sent.get(key) ?? add({ key, chave, valor: String(body.valor), descricao }, false)
    return reply.send({ tipoRetorno: 'PROCESSADO', codigoSolicitacao: one.code })
  })
  scope.get('/banking/v2/pix/:code', (request: FastifyRequest<{ Params: { code: string } }>, reply) => {
    if (isRefused(request, reply, options, 'pagamento-pix.read')) return reply
    const one = [...sent.values()].find(({ code }) => code === request.params.code)
    if (one === undefined) return reply.code(404).send({ title: 'Pagamento não encontrado' })
    const { code: codigoSolicitacao, descricao, endToEndId: endToEnd, state } = one
    const transacaoPix = { codigoSolicitacao, valor: Number(one.valor), descricao, endToEnd }
    return reply.send({ transacaoPix: { ...transacaoPix, status: interStates[state] }, historico: [] })
  })
}

const interStates = {
  processing: 'EM_PROCESSAMENTO',
  paid: 'PAGO',
  failed: 'REPROVADO',
  returned: 'DEVOLVIDO',
} as const

function checkAmount(body: Fields): void {
  if (readValor(isObject(body) ? body.valor : undefined) === REFUSED)
    throw new InvalidRequest('valor is below the minimum')
}

/** Sends a refusal and returns true if the token does not allow the scope. */
function isRefused(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { tokens, clock }: OutgoingOptions,
  scope: string,
): boolean {
  const scopes = tokens.scopesOf(headers.authorization, clock.now())
  if (scopes?.includes(scope)) return false
  reply.code(scopes === undefined ? 401 : 403).send({ nome: 'acesso_negado', mensagem: scope })
  return true
}
