/** Pages that are not named after their protocol. */
const pages: Readonly<Record<string, string>> = {
  bridge: 'own-bridge',
  apple_pay: 'wallets',
  google_pay: 'wallets',
}

/** The page with a protocol's settings, and how to get its credentials. */
export function channelPage(protocol: string): string {
  return `docs/channels/${pages[protocol] ?? protocol}.md`
}
