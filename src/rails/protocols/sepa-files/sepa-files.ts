// The protocol `sepa-files`: our payment orders go to the folder `out`, and the bank's status reports and statements
// come to the folder `in`. An EBICS or SFTP client of the operator exchanges the files with the bank.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { isBic, isIban, normaliseIban } from '../../../platform/base/iban.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import { type ChannelSettings, flagSetting, textSetting } from '../../contract/settings.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { createSepaChannel } from './channel.ts'
import { type OurAccount, sepaText } from './pain-001.ts'
import { paymentReferences } from './payment-reference.ts'
import { createSepaRail } from './rail.ts'
import { findGaps } from './statement-chain.ts'
import { createWatcher, type WatchDeps } from './watcher.ts'

/** Settings: out, in, iban, bic, name. Optional settings: accountHolder (default: the channel's name), instant. */
export const sepaFiles: Protocol = (settings, tools) => {
  const { name } = settings
  checkServed(settings, ['sepa'], ['bank_account'])
  const account = readAccount(settings)
  const { clock, timeoutMs, alarm } = tools
  const store = tools.storeOf(name)
  const references = paymentReferences(name)
  const watched: WatchDeps = {
    store,
    clock,
    channel: name,
    alarm,
    account,
    references,
    isInstant: flagSetting(settings, 'instant'),
    out: folderSetting(settings, 'out'),
    in: folderSetting(settings, 'in'),
  }
  if (watched.out === watched.in) throw wrong(settings, '"out" and "in" must be different folders')
  const channel = createSepaChannel({ name, store, account, references, timeoutMs })
  return {
    channels: settings.methods.length > 0 ? [channel] : [],
    ...(settings.payoutKinds.length > 0 && { rail: createSepaRail({ name, store, timeoutMs }) }),
    check: () => check(watched),
    watcher: createWatcher(watched),
  }
}

function readAccount(settings: ChannelSettings): OurAccount {
  const iban = normaliseIban(textSetting(settings, 'iban'))
  if (!isIban(iban)) throw wrong(settings, '"iban" must be an IBAN')
  const bic = textSetting(settings, 'bic')
  if (!isBic(bic)) throw wrong(settings, '"bic" must be a BIC')
  const holder = 'accountHolder' in settings ? 'accountHolder' : 'name'
  const name = sepaText(textSetting(settings, holder), 70)
  if (name === '') throw wrong(settings, `"${holder}" must be the account holder in Latin letters`)
  return { iban, bic, name }
}

function folderSetting(settings: ChannelSettings, name: string): string {
  const folder = textSetting(settings, name)
  if (!isAbsolute(folder)) throw wrong(settings, `"${name}" must be the absolute path of a folder`)
  return resolve(folder)
}

function wrong({ name }: Pick<ChannelSettings, 'name'>, rule: string): SettingError {
  return new SettingError(`channel ${name}: ${rule}`)
}

const COUNTED = 1_000

/** Checks the folders, as there is no counterparty to call. Reports unmatched bookings and missing statements. */
async function check({ store, account, ...folders }: WatchDeps): Promise<Checked> {
  for (const name of ['out', 'in'] as const) {
    const isOpen = await isWritable(folders[name])
    if (!isOpen)
      return {
        isRight: false,
        message: `The folder "${name}", ${folders[name]}, is missing or cannot be written.`,
      }
  }
  const unmatched = (await store.list('unmatched', { limit: COUNTED })).length
  const gaps = await findGaps(store, account.iban)
  const findings = [
    'Both folders can be written.',
    ...(unmatched > 0 ? [`${unmatched} bookings name no payment: see the tables in done.`] : []),
    ...gaps.map(({ message }) => `${message[0]?.toUpperCase()}${message.slice(1)}.`),
  ]
  return { isRight: true, message: findings.join(' ') }
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
