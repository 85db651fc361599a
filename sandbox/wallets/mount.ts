// Apple Pay and Google Pay of the sandbox: a bank each for what was asked and what the payer said. Who approves gives a
// token, made at that moment for the gateway's key; the card behind it is charged by whoever has the token.
import { join } from 'node:path'
import { type Bank, createBank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { registerBank } from '../bank/routes.ts'
import type { ChannelEntry, Counterparty, SandboxPlace } from '../place.ts'
import { merchantId, mintAppleToken } from './apple-token.ts'
import { derOf, makeChain } from './certificates.ts'
import { googleRootKeys, mintGoogleToken, recipientId } from './google-token.ts'
import { keepKeys } from './keys.ts'

type Wallet = {
  readonly method: string
  readonly mint: (charge: BankCharge) => string
  /** Beside those that every wallet has. */
  readonly settings: Readonly<Record<string, unknown>>
}

export function mountWallets(place: SandboxPlace): Counterparty {
  const all = [appleOf(place), googleOf(place)].map((wallet) => ({ ...wallet, ...open(place, wallet) }))
  return {
    banks: new Map(all.map(({ method, bank }) => [method, bank])),
    settings: () => all.map((wallet) => entryOf(place, wallet)),
    async close() {
      await Promise.all(all.map(({ callbacks }) => callbacks.stop()))
      for (const { bank } of all) bank.close()
    },
  }
}

function appleOf({ folder, clock }: SandboxPlace): Wallet {
  const keys = keepKeys(join(folder, 'apple-pay.keys'), ['root', 'intermediate', 'leaf', 'merchant'])
  const chain = makeChain(keys)
  return {
    method: 'apple_pay',
    mint: (charge) => mintAppleToken(keys, chain, charge, clock.now()),
    settings: {
      merchantId,
      privateKeys: [keys.merchant],
      rootCertificate: derOf(chain.root).toString('base64'),
    },
  }
}

function googleOf({ folder, clock }: SandboxPlace): Wallet {
  const keys = keepKeys(join(folder, 'google-pay.keys'), ['root', 'intermediate', 'merchant'])
  return {
    method: 'google_pay',
    mint: ({ extra }) => mintGoogleToken(keys, String(extra.merNo), clock.now()),
    settings: { recipientId, privateKeys: [keys.merchant], rootKeys: googleRootKeys(keys) },
  }
}

function open({ app, folder, clock, url, secret }: SandboxPlace, { method, mint }: Wallet) {
  const bookFile = join(folder, `${method.replace('_', '-')}.sqlite`)
  const bank = givingTokens(createBank({ bookFile, clock, takes: 'exact' }), mint)
  return { bank, callbacks: registerBank(app, { method, bank, url, secret }) }
}

/** The token is there before the payment counts as approved, so whoever hears of the one finds the other. */
function givingTokens(bank: Bank, mint: Wallet['mint']): Bank {
  return {
    ...bank,
    pay(id, payment) {
      const charge = bank.findById(id)
      if (charge?.status !== 'open') return undefined
      bank.amend(id, { token: mint(charge) })
      return bank.pay(id, payment)
    },
  }
}

function entryOf({ url, secret }: SandboxPlace, { method, settings }: Wallet): ChannelEntry {
  const acquirer = { acquirerUrl: url(), acquirerSecret: secret }
  const wallet = { walletUrl: `${url()}/banks/${method}`, walletSecret: secret }
  return { name: method, method, ...acquirer, ...wallet, ...settings }
}
