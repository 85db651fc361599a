// The settings that an entry of each protocol may have. Others are refused: a misspelt "currencies" or "refunds" would
// otherwise let a channel take what its account cannot.

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
    ...['payoutClientSecret', 'payoutPurpose'],
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
