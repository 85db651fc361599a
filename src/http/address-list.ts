// Lists of addresses and ranges (CIDR), as people write them.
import { BlockList, isIP } from 'node:net'

export function isAddressRange(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most
}

/** Each of them an address or a range. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
