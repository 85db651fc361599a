// Words for the fields of a payment request. The page of an order shows them together with the fields' names in the
// interface.

type Names = Readonly<Record<string, string>>

const en = {
  owners: { billing: 'Billing', shipping: 'Shipping' } satisfies Names as Names,
  parts: {
    FirstName: 'first name',
    LastName: 'last name',
    Address1: 'address',
    Address2: 'address, second line',
    City: 'city',
    State: 'state',
    Country: 'country',
    ZipCode: 'postal code',
    Phone: 'phone',
    Email: 'e-mail',
  } satisfies Names as Names,
  others: {
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    country: 'Country',
    city: 'City',
    ipAddress: 'IP address',
    userAgent: 'Browser',
    language: 'Language',
    remark: 'Remark',
    version: 'Version of the interface',
    cardHolder: 'Name on the card',
  } satisfies Names as Names,
  joined: (owner: string, part: string) => `${owner}: ${part}`,
}

const zh: typeof en = {
  owners: { billing: '账单', shipping: '收货' },
  parts: {
    FirstName: '名',
    LastName: '姓',
    Address1: '地址',
    Address2: '地址第二行',
    City: '城市',
    State: '州或省',
    Country: '国家或地区',
    ZipCode: '邮政编码',
    Phone: '电话',
    Email: '电子邮箱',
  },
  others: {
    name: '姓名',
    email: '电子邮箱',
    phone: '电话',
    country: '国家或地区',
    city: '城市',
    ipAddress: 'IP 地址',
    userAgent: '浏览器',
    language: '语言',
    remark: '备注',
    version: '接口版本',
    cardHolder: '持卡人姓名',
  },
  joined: (owner, part) => `${owner}：${part}`,
}

export const orderFieldWords = { en, zh }

/**
 * Returns a field in words. For example, `billingFirstName` becomes `Billing: first name`. An unknown field keeps its
 * name.
 */
export function fieldInWords({ owners, parts, others, joined }: typeof en, name: string): string {
  const [, owner = '', part = ''] = /^(billing|shipping)([A-Z].*)$/.exec(name) ?? []
  const [whose, what] = [owners[owner], parts[part]]
  return whose !== undefined && what !== undefined ? joined(whose, what) : (others[name] ?? name)
}
