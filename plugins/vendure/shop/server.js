// A Vendure server with our plugin, and what a new shop needs before its first product.
import { TollgatePlugin } from '@tollgate/vendure'
import { bootstrap, configureDefaultOrderProcess, DefaultLogger, LogLevel } from '@vendure/core'
import { populateInitialData } from '@vendure/core/cli/index.js'

const { PORT, DATABASE_URL, TOLLGATE_OPTIONS = '{}' } = process.env

const app = await bootstrap({
  apiOptions: {
    port: Number(PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
  },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: true },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  // The tests sell nothing that is shipped.
  orderOptions: { process: [configureDefaultOrderProcess({ arrangingPaymentRequiresShipping: false })] },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [TollgatePlugin.init(JSON.parse(TOLLGATE_OPTIONS))],
})

await populateInitialData(app, {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 0 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
})
console.log('ready')
