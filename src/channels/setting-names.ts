// The settings that an entry of each protocol has. Others are ignored, and an operator is told: with a misspelt "currencies" or
// "refunds" a channel takes what its account cannot.
import type { ChannelSettings } from './settings.ts'

const everywhere = [
  'name',
  'protocol',
  'method',
  'methods',
  'currencies',
  'terminals',
  'countries',
  'amounts',
]
const byHttp = ['clientCertificate', 'clientKey', 'ca', 'proxy']
const wallet = ['walletUrl', 'walletSecret', 'ownDisputes']
const token = [...wallet, 'acquirerUrl', 'acquirerSecret', 'privateKeys']

const own: Readonly<Record<string, readonly string[]>> = {
  bridge: [...byHttp, ...wallet, 'url', 'secret', 'payerFields', 'xpub', 'confirmations'],
  adyen: [
    ...[...byHttp, 'url', 'apiKey', 'merchantAccount', 'hmacKey', 'transfersUrl', 'transfersKey'],
    ...['balanceAccountId', 'transfersHmacKey', 'reportUser', 'reportPassword'],
  ],
  alipay: [...byHttp, 'url', 'appId', 'privateKey', 'alipayPublicKey'],
  wechat: [
    ...[...byHttp, 'url', 'mchid', 'appid', 'mobileAppid', 'miniProgramAppid', 'serial', 'privateKey'],
    ...['platformPublicKey', 'apiV3Key'],
  ],
  apple_pay: [...byHttp, ...token, 'merchantId', 'rootCertificate'],
  google_pay: [...byHttp, ...token, 'recipientId', 'rootKeys'],
  pix: [
    ...[...byHttp, 'url', 'tokenUrl', 'clientId', 'clientSecret', 'scopes', 'pixKey', 'payeeName'],
    ...['payeeCity', 'webhookSecret', 'outgoing'],
  ],
  stp: [
    ...[...byHttp, 'url', 'empresa', 'privateKey', 'clabePrefix', 'ordenanteClabe', 'ordenanteName'],
    'callbackSecret',
  ],
  stripe: [...byHttp, 'url', 'secretKey', 'webhookSecret'],
  dlocal: [
    ...[...byHttp, 'url', 'login', 'transKey', 'secretKey', 'payoutUrl', 'payoutClientId'],
    ...['payoutClientSecret', 'payoutPurpose', 'bankCodes'],
  ],
  'sepa-files': ['out', 'in', 'iban', 'bic', 'accountHolder', 'instant'],
  evm: [
    ...[...byHttp, 'network', 'chainId', 'rpcUrls', 'xpub', 'confirmations', 'coins', 'watchDays'],
    ...['quietMinutes', 'outgoing'],
  ],
}

export function settingsOf(protocol: string): readonly string[] {
  return [...everywhere, 'refunds', ...(own[protocol] ?? [])]
}

/** JSON has no comments, so people write them under such names. */
const isComment = /^(?:_|\/\/|#|\$)/
/** Made of the methods. */
const DERIVED = 'payoutKinds'

/** A sentence for each setting that its protocol does not have. */
export function ignoredSettings(entries: readonly ChannelSettings[]): string[] {
  return entries.flatMap((entry) => {
    const { name, protocol } = entry
    const known = [...settingsOf(protocol), DERIVED]
    const ignored = Object.keys(entry).filter((one) => !known.includes(one) && !isComment.test(one))
    return ignored.map(
      (one) =>
        `channel ${name}: the protocol ${protocol} has no setting ${JSON.stringify(one.slice(0, 64))}, so it has no effect: correct its name or remove it; settings are ${settingsOf(protocol).join(', ')}`,
    )
  })
}
