import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signNotice } from '../../../sandbox/alipay/sign.ts'
import { keyFiles, privatePem } from '../../../sandbox/rsa-keys.ts'
import type { Sandbox } from '../../../sandbox/server.ts'
import { testChannelVariant, testProtocolContract } from '../../../test/channel-contract.ts'
import { rsaPair } from '../../../test/rsa-keys.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'
import { formatAmount, type Money } from '../../base/money.ts'
import type { Callback } from '../contract.ts'
import type { Terminal } from '../terminal.ts'

testProtocolContract('Alipay in yuan', () => openDriver('CNY', 'WEB'))
testChannelVariant('Alipay in dollars, on a phone', () => openDriver('USD', 'WAP'))

function openDriver(currency: string, terminal: Terminal) {
  const money = { amount: 1_250n, currency }
  const stranger = { privateKey: privatePem(rsaPair('stranger').privateKey) }
  return openSandboxDriver({ method: 'alipay', money, terminal, returnsActionOnce: true, forge, stranger })
}

/** A notification that Alipay itself has signed. */
function forge(callback: Callback, { amount, currency }: Money, _sandbox: Sandbox, folder: string): Callback {
  const notice = Object.fromEntries(new URLSearchParams(callback.body))
  const reported = { ...notice, total_amount: formatAmount(amount, currency), trans_currency: currency }
  const key = createPrivateKey(readFileSync(join(folder, keyFiles.platform)))
  return { ...callback, body: new URLSearchParams(signNotice(reported, key)).toString() }
}
