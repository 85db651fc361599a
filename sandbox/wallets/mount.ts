// The sandbox's Apple Pay and Google Pay, each with its own bank for charges. When the payer approves, a token for the
// gateway's key is created. The gateway then charges the card in the token.
import { join } from 'node:path'
import { type Bank, createBank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { registerBank } from '../bank/routes.ts'
import type { ChannelEntry, Counterparty, SandboxPlace } from '../place.ts'
import { merchantId, mintAppleToken } from './apple-token.ts'
import { derOf, makeChain } from './certificates.ts'
import { googleRootKeys, mintGoogleToken, recipientId } from './google-token.ts'
import { readOrCreateKeys } from './keys.ts'

type Wallet = {
  readonly method: string
  readonly mint: (charge: BankCharge) => string
  /** The settings that only this wallet has. */
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
  const keys = readOrCreateKeys(join(folder, 'apple-pay.keys'), ['root', 'intermediate', 'leaf', 'merchant'])
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
  const keys = readOrCreateKeys(join(folder, 'google-pay.keys'), ['root', 'intermediate', 'merchant'])
  return {
    method: 'google_pay',
    mint: ({ extra }) => mintGoogleToken(keys, String(extra.merNo), clock.now()),
    settings: { recipientId, privateKeys: [keys.merchant], rootKeys: googleRootKeys(keys) },
  }
}

function open({ app, folder, clock, url, secret }: SandboxPlace, { method, mint }: Wallet) {
  const bookFile = join(folder, `${method.replace('_', '-')}.sqlite`)
  const bank = withTokens(createBank({ bookFile, clock, takes: 'exact' }), mint)
  return { bank, callbacks: registerBank(app, { method, bank, url, secret }) }
}

/** Adds the token before the payment is approved, so that an approved payment always has a token. */
function withTokens(bank: Bank, mint: Wallet['mint']): Bank {
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
