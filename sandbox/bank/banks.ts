// The banks and wallets of our own protocol, each with its own book.
import { join } from 'node:path'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { allotments } from './accounts.ts'
import { createBank } from './bank.ts'
import type { Allotment, BankOrder, Takes } from './charge.ts'
import { registerBank } from './routes.ts'

type Kind = { readonly takes: Takes; readonly allot?: (no: number, order: BankOrder) => Allotment }

const methods: Readonly<Record<string, Kind>> = {
  unionpay: { takes: 'exact' },
  cash_app: { takes: 'exact' },
  gcash: { takes: 'deposits', allot: allotments.gcash },
  spei: { takes: 'deposits', allot: allotments.spei },
  per_transfer: { takes: 'deposits', allot: allotments.per_transfer },
  sepa: { takes: 'deposits', allot: allotments.sepa },
  vn_bank: { takes: 'deposits', allot: allotments.vn_bank },
}

export function mountBanks(place: SandboxPlace): Counterparty {
  const all = Object.entries(methods).map(([method, kind]) => mountBank(place, method, kind))
  return {
    banks: new Map(all.map(({ method, bank }) => [method, bank])),
    settings: () =>
      all.map(({ method }) => {
        return { name: method, method, url: `${place.url()}/banks/${method}`, secret: place.secret }
      }),
    async close() {
      await Promise.all(all.map(({ callbacks }) => callbacks.stop()))
      for (const { bank } of all) bank.close()
    },
  }
}

function mountBank({ app, folder, clock, url, secret }: SandboxPlace, method: string, kind: Kind) {
  const bank = createBank({ bookFile: join(folder, `${method.replace('_', '-')}.sqlite`), clock, ...kind })
  return { method, bank, callbacks: registerBank(app, { method, bank, url, secret }) }
}
