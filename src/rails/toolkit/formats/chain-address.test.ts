import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import { chainIds, coins, contractOf, networks } from '../../methods/crypto.ts'
import { openAddressBook, paymentUri, withChecksum } from './chain-address.ts'

/**
 * The account m/44'/60'/0' of the seed phrase that development chains use. The addresses of this account are well
 * known.
 */
const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

describe('an address', () => {
  it('comes from the extended public key and its number alone', () => {
    const book = openAddressBook(xpub)
    assert.equal(book.at(0), '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    assert.equal(book.at(1), '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN]) assert.equal(book.at(index), undefined)
  })

  it('is refused for a private key, and for text that is not a key', () => {
    const xprv =
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'
    for (const text of ['', 'xpub', `${xpub}x`, xprv]) assert.throws(() => openAddressBook(text))
  })

  it('comes from the key of an account on the main network, and no other level or network', () => {
    const master = HDKey.fromMasterSeed(new Uint8Array(32))
    const account = master.derive("m/44'/60'/0'")
    assert.ok(openAddressBook(account.publicExtendedKey).at(0))
    for (const path of ['m', "m/44'", "m/44'/60'", "m/44'/60'/0'/0", "m/44'/60'/0'/0/0"])
      assert.throws(() => openAddressBook(master.derive(path).publicExtendedKey), /has depth \d, not 3/, path)
    const testNet = HDKey.fromMasterSeed(new Uint8Array(32), { private: 0x04358394, public: 0x043587cf })
    const elsewhere = testNet.derive("m/44'/60'/0'").publicExtendedKey
    assert.match(elsewhere, /^tpub/)
    assert.throws(() => openAddressBook(elsewhere), /not of the main network/)
  })

  it('has the checksum of EIP-55, and so do the token contracts', () => {
    const examples = [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]
    const contracts = coins.flatMap((coin) =>
      networks.map((network) => contractOf(coin, network) ?? 'native'),
    )
    for (const address of [...examples, ...contracts.filter((contract) => contract !== 'native')])
      assert.equal(withChecksum(address.toLowerCase()), address)
  })
})

describe('the payment URI', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

  it('names token, network, receiver and amount for a token', () => {
    const contract = contractOf('USDC', 'POLYGON') ?? ''
    assert.equal(
      paymentUri({ contract, chainId: chainIds.POLYGON, address, units: 12_500_000n }),
      `ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=${address}&uint256=12500000`,
    )
  })

  it('names receiver and value for ether', () => {
    assert.equal(
      paymentUri({ contract: 'native', chainId: chainIds.ERC20, address, units: 3_906_250_000_000_000n }),
      `ethereum:${address}@1?value=3906250000000000`,
    )
  })
})
