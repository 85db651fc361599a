import { join } from 'node:path'
import { registerBank } from '../bank/routes.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { readOrCreateAccounts } from './accounts.ts'
import { CONFIRMATIONS, createWatcher } from './watcher.ts'

const METHOD = 'crypto'
const SECONDS_IN_A_MINUTE = 60

export function mountCrypto({ app, folder, url, secret, clock, minuteMs }: SandboxPlace): Counterparty {
  const accounts = readOrCreateAccounts(join(folder, 'crypto.seed'))
  const bookFile = join(folder, 'crypto.sqlite')
  const bank = createWatcher({ bookFile, clock, accounts, blockMs: minuteMs / SECONDS_IN_A_MINUTE })
  const callbacks = registerBank(app, { method: METHOD, bank, url, secret })
  return {
    banks: new Map([[METHOD, bank]]),
    settings: () => [
      {
        name: METHOD,
        method: METHOD,
        url: `${url()}/banks/${METHOD}`,
        secret,
        xpub: accounts.xpub,
        confirmations: { ERC20: CONFIRMATIONS, POLYGON: CONFIRMATIONS },
      },
    ],
    async close() {
      await callbacks.stop()
      bank.close()
    },
  }
}
