-- One database a service; PostgreSQL's image runs this once, when it makes its cluster.
CREATE DATABASE account;
CREATE DATABASE dice;
CREATE DATABASE character;
CREATE DATABASE campaign;
CREATE DATABASE map;
