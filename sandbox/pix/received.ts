// The list of received Pix. The list contains only Pix with returns, because gateways ask for no others.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fields } from '../../src/platform/base/object.ts'
import type { Bank } from '../bank/bank.ts'
import { InvalidRequest } from '../issuer-request.ts'
import { toReceived } from './cob.ts'

type ListRequest = FastifyRequest<{ Querystring: Readonly<Record<string, string>> }>

const EPOCH = new Date(0)

export function registerReceived(scope: FastifyInstance, { bank }: { readonly bank: Bank }): void {
  scope.get('/pix', ({ query }: ListRequest, reply) => {
    if (query.devolucaoPresente !== 'true') throw new InvalidRequest('devolucaoPresente must be true')
    const [from, until] = [timeIn(query, 'inicio'), timeIn(query, 'fim')]
    const [page, size] = [Number(query['paginacao.paginaAtual'] ?? 0), sizeIn(query)]
    const found = bank.disputesSince(EPOCH).flatMap((dispute) => {
      const charge = bank.find(dispute.reference)
      return charge === undefined ? [] : toReceived(charge, dispute)
    })
    const all = found.filter((pix) => isWithin(pix, from, until))
    return reply.send({
      parametros: {
        inicio: query.inicio,
        fim: query.fim,
        paginacao: {
          paginaAtual: page,
          itensPorPagina: size,
          quantidadeDePaginas: Math.max(Math.ceil(all.length / size), 1),
          quantidadeTotalDeItens: all.length,
        },
      },
      pix: all.slice(page * size, (page + 1) * size),
    })
  })
}

function isWithin({ devolucoes, horario }: Fields, from: number, until: number): boolean {
  const at = Date.parse(String(horario))
  return devolucoes !== undefined && at >= from && at <= until
}

function sizeIn(query: Readonly<Record<string, string>>): number {
  const size = Number(query['paginacao.itensPorPagina'] ?? 100)
  if (!Number.isInteger(size) || size < 1 || size > 1000) throw new InvalidRequest('itensPorPagina is wrong')
  return size
}

function timeIn(query: Readonly<Record<string, string>>, name: string): number {
  const at = Date.parse(query[name] ?? '')
  if (Number.isNaN(at)) throw new InvalidRequest(`${name} is missing or wrong`)
  return at
}
