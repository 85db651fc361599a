// Medusa with its defaults, without its admin pages, and with our plugin as its README says.
const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'test', cookieSecret: 'test' },
  },
  plugins: [{ resolve: '@tollgate/medusa', options: {} }],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: '@tollgate/medusa/providers/tollgate',
            id: 'tollgate',
            options: JSON.parse(process.env.TOLLGATE_OPTIONS ?? '{}'),
          },
        ],
      },
    },
  ],
})
